"""Sealed secrets: who can open them, and what a record shows instead."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from tests.ledger.samples import make_spec
from tests.ledger.test_spec import claim_of
from toolferry import ConfigurationError, Context, Tool
from toolferry_ledger import (
    Signer,
    Spec,
    Untrusted,
    open_secrets,
    open_spec,
    read_json,
    reseal,
    seal_secrets,
    write_json,
)
from toolferry_ledger.merging import merge
from toolferry_policies import Known

SIGNER = Signer(b"a secret of thirty-two bytes, yes")
TOOL = Tool(
    name="log_in",
    parameters={
        "type": "object",
        "properties": {
            "user": {"type": "string"},
            "password": {"type": "string", "writeOnly": True},
            "more": {"type": "object", "properties": {"pin": {"format": "password"}}},
        },
    },
)
ARGUMENTS = {"user": "ann", "password": "Hunter22", "more": {"pin": 4711}}
WHO = Context(principal="ann", secrets={"api_key": "k-0815-XYZ"})


def plain(**changes: Any) -> Spec:
    """Give a call with secrets, as it is to run."""
    return make_spec(**{"name": "log_in", "arguments": ARGUMENTS, "context": WHO, **changes})


def sealed(**changes: Any) -> Spec:
    """Give it as it is written."""
    return seal_secrets(plain(**changes), TOOL, SIGNER)


def test_a_record_shows_no_secret_and_a_worker_gets_them_all() -> None:
    """The arguments as they were, those that policies changed too, and the context's."""
    changed = {"changes": ("user Hunter22 is k-0815-XYZ.",), "original": {**ARGUMENTS, "user": "x"}}
    text = sealed(**changed).to_bytes()

    opened = open_secrets(Spec.from_bytes(text), SIGNER)

    assert not any(word in text for word in (b"Hunter22", b"4711", b"0815"))
    assert (opened.arguments, opened.original) == (ARGUMENTS, changed["original"])
    assert dict(opened.context.secrets) == {"api_key": "k-0815-XYZ"}
    assert Spec.from_bytes(text).arguments == {"user": "ann", "password": "…", "more": "…"}


def test_the_same_call_is_never_sealed_the_same_way_twice() -> None:
    """So nobody can tell whether two calls have the same secrets."""
    assert sealed().sealed != sealed().sealed


def test_a_call_without_secrets_is_written_as_ever() -> None:
    """Not a byte more: the release before can read it."""
    spec = make_spec()

    assert seal_secrets(spec, Tool(name="read_file"), SIGNER) is spec
    assert b"sealed" not in spec.to_bytes()


def test_a_release_that_cannot_open_secrets_does_not_take_what_is_shown_for_arguments() -> None:
    """It finds none, and so does not believe the record."""
    assert "arguments" not in read_json(sealed().to_bytes())


@pytest.mark.parametrize("other", [{"index": 1}, {"turn_id": "u"}])
def test_secrets_that_were_moved_to_another_call_are_not_opened(other: dict[str, Any]) -> None:
    """Not even by who can sign."""
    moved = replace(sealed(**other), sealed=sealed().sealed)

    with pytest.raises(Untrusted, match="not sealed for it"):
        open_secrets(moved, SIGNER)


@pytest.mark.parametrize(
    "forged", ["", "v1.", "v1.AAAA", "v1.é", "v2.", "plain.{}", 'plain.{"arguments":{}}']
)
def test_secrets_that_nobody_sealed_are_not_opened(forged: str) -> None:
    """Whatever stands there; an empty text is a call without secrets."""
    spec = replace(sealed(), sealed=forged or "opened")

    with pytest.raises(Untrusted):
        open_secrets(spec, SIGNER)


def test_one_changed_letter_is_noticed() -> None:
    """Wherever it stands."""
    spec = sealed()
    for at in (4, len(spec.sealed) // 2, len(spec.sealed) - 5):
        letter = "A" if spec.sealed[at] != "A" else "B"
        changed = spec.sealed[:at] + letter + spec.sealed[at + 1 :]
        with pytest.raises(Untrusted):
            open_secrets(replace(spec, sealed=changed), SIGNER)


def test_an_opened_call_cannot_be_written() -> None:
    """So no secret gets into a record by mistake."""
    with pytest.raises(ValueError, match="seal it again"):
        open_secrets(sealed(), SIGNER).to_bytes()


def test_a_call_that_repeats_another_has_its_secrets() -> None:
    """Sealed for itself."""
    old = sealed()
    new = reseal(old, replace(old, turn_id="t.0~1"), SIGNER)

    assert open_secrets(new, SIGNER).arguments == ARGUMENTS
    assert new.sealed != old.sealed


def test_who_edits_a_call_need_not_see_what_is_hidden() -> None:
    """What stands there as it was shown is what it was."""
    shown, opened = sealed(), open_secrets(sealed(), SIGNER)
    edited = {"user": "bob", "password": "…", "more": {"pin": 1}}

    arguments = merge(edited, shown.arguments, opened.arguments)

    assert arguments == {"user": "bob", "password": "Hunter22", "more": {"pin": 1}}
    again = seal_secrets(replace(opened, arguments=arguments), TOOL, SIGNER)
    assert open_secrets(Spec.from_bytes(again.to_bytes()), SIGNER).arguments == arguments
    assert b"Hunter22" not in again.to_bytes()


def test_what_was_looked_up_about_a_call_is_sealed_too() -> None:
    """Rules that are asked again read it as it was; others read it without the secrets."""
    known = Known({"account": {"of": "ann", "key": "k-0815-XYZ"}})

    text = sealed(known=known).to_bytes()

    assert b"0815" not in text
    assert Spec.from_bytes(text).known["account"] == {"of": "ann", "key": "[redacted]"}
    assert open_secrets(Spec.from_bytes(text), SIGNER).known["account"] == known["account"]


def test_records_of_the_key_before_are_run_and_forged_ones_are_not() -> None:
    """Signed and sealed by a key that is not the first any more; or by none of them."""
    old, new = b"the old key of 32 bytes, as it was", b"the new key of 32 bytes, as it is now"
    spec = seal_secrets(plain(), TOOL, Signer(old))
    both = Signer(new + b", " + old)

    opened = open_secrets(open_spec(both, claim_of(spec, Signer(old))), both)

    assert opened.arguments == ARGUMENTS
    assert both.sign(b"x") == Signer(new).sign(b"x")
    with pytest.raises(Untrusted, match="not signed"):
        open_spec(both, claim_of(spec, Signer(b"a key that a forger made, 32 bytes")))


def test_a_key_that_was_taken_away_opens_nothing() -> None:
    """That ends a rotation."""
    with pytest.raises(Untrusted):
        open_secrets(sealed(), Signer(b"another secret of thirty-two bytes"))


def test_without_the_package_that_encrypts_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sentence says how to get it."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)

    with pytest.raises(ConfigurationError, match=r"toolferry\[secrets\]"):
        sealed()


def test_secrets_that_are_no_texts_are_refused_without_being_shown() -> None:
    """Whoever hands them over hears it, and a log does not."""
    with pytest.raises(ValueError, match="api_key must be a text") as refused:
        Context(secrets={"api_key": 8150})  # type: ignore[dict-item]

    assert "8150" not in str(refused.value)


def test_a_context_does_not_show_its_secrets_and_is_the_same_without() -> None:
    """They are no part of who somebody is."""
    assert "0815" not in repr(WHO) + str(WHO.secrets) + write_json(WHO.to_json()).decode()
    assert replace(WHO, secrets={}) == WHO
