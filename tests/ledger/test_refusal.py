"""What is kept of a call that was refused: read only when it is genuine and the call's own."""

from __future__ import annotations

import pytest

from tests.ledger.samples import make_spec
from toolferry_ledger import Refusal, Signer
from toolferry_ledger.refusal import open_refusal
from toolferry_policies.explaining import COUNTING

SIGNER = Signer(b"0123456789abcdef")
REFUSAL = Refusal(
    turn_id="t", index=0, call_id="c0", name="add", rule="arguments_fit", principal="a", tenant="b"
)


def kept(text: bytes) -> bytes:
    """Write what the server keeps."""
    return SIGNER.sign(text).encode() + text


def test_it_is_read_as_it_was_written() -> None:
    """With the rule that refused."""
    assert open_refusal(SIGNER, "t:0", kept(REFUSAL.to_bytes())) == REFUSAL


def test_of_a_call_that_the_server_counted_out_its_spec_tells() -> None:
    """Every check had let it run; values of its arguments are hidden."""
    found = open_refusal(SIGNER, "t:0", kept(make_spec().to_bytes()))

    assert found is not None
    assert (found.rule, found.name, found.arguments) == (COUNTING, "read_file", {"path": "…"})


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("t:1", kept(REFUSAL.to_bytes())),
        ("t:0", kept(REFUSAL.to_bytes())[:-1]),
        ("t:0", kept(b"{}")),
        ("t:0", kept(b"[]")),
        ("t:0", b"\xff" * 80),
        ("t:0", b""),
    ],
)
def test_what_is_not_genuine_is_not_read(key: str, text: bytes) -> None:
    """Of another call, altered, signed and no refusal, no signature at all."""
    assert open_refusal(SIGNER, key, text) is None
