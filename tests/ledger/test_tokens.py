"""Tokens: who has one is who it says, until its end."""

from __future__ import annotations

import pytest

from toolferry import ConfigurationError
from toolferry_ledger import Signer, read_token, write_token
from toolferry_policies import Approver

SIGNER = Signer(b"0123456789abcdef")
TOKEN = write_token(SIGNER, "Ann Ä", ["lead", "cfo"], until=1000.0)


def test_a_token_says_who_has_it() -> None:
    """With their roles."""
    assert read_token(SIGNER, f" {TOKEN}\n", 999.0) == Approver(
        "Ann Ä", frozenset({"lead", "cfo"}), verified=True
    )


@pytest.mark.parametrize(
    "token",
    [
        "",
        ".",
        "x",
        TOKEN[:-1],
        TOKEN[1:],
        TOKEN.partition(".")[0],
        TOKEN.upper(),
        write_token(Signer(b"another secret..."), "Ann Ä", ["lead"], until=1000.0),
        "é.\udcff",
        f"{'A' * 100_000}.0",
    ],
)
def test_what_is_no_token_of_the_system_is_refused(token: str) -> None:
    """Whatever it is; the sentence repeats nothing of it."""
    with pytest.raises(ConfigurationError, match="is no token of this system"):
        read_token(SIGNER, token, 0.0)


def test_a_token_has_an_end() -> None:
    """The sentence says how to get another one."""
    with pytest.raises(ConfigurationError, match="has ended: make one with"):
        read_token(SIGNER, TOKEN, 1000.0)


def test_a_record_or_a_grant_is_no_token() -> None:
    """Each kind of text is signed as what it is."""
    body = TOKEN.partition(".")[0]
    text = b'{"name":"Ann","roles":[],"until":1e9}'

    with pytest.raises(ConfigurationError):
        read_token(SIGNER, f"{body}.{SIGNER.sign(text)}", 0.0)


@pytest.mark.parametrize("name", ["", "a\nb", "a" * 201, "\u202eann"])
def test_a_token_needs_a_legible_name(name: str) -> None:
    """It stands in records and logs."""
    with pytest.raises(ConfigurationError, match="must be a legible name"):
        write_token(SIGNER, name, [], until=1.0)
