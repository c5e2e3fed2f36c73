"""Specs: what is signed, and what is not believed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ledger.samples import make_spec
from toolferry import Context, Lane
from toolferry_ledger import Claim, Signer, Spec, Untrusted, open_spec

SIGNER = Signer(b"a secret of thirty-two bytes, yes")


def claim_of(spec: Spec, signer: Signer = SIGNER) -> Claim:
    """Give the claim of a call as a ledger would."""
    text = spec.to_bytes()
    return Claim("t:0", 1, text, signer.sign(text), 1, 1.0, 2.0, 60.0, 5.0)


def test_a_spec_survives_its_json_form() -> None:
    """Every field comes back, big integers and odd text included."""
    spec = make_spec(
        arguments={"id": 2**70, "text": "naïve \ud800 ✓", "deep": [{"a": None}]},
        context=Context(roles=frozenset({"a", "b"})),
        lane=Lane.PROCESS,
    )

    assert Spec.from_bytes(spec.to_bytes()) == spec


def test_a_newer_spec_with_more_keys_is_read() -> None:
    """A release can read what the next one writes."""
    text = make_spec().to_bytes().replace(b'{"schema_version":1', b'{"schema_version":1,"new":[]')

    assert Spec.from_bytes(text) == make_spec()


def test_a_genuine_spec_is_opened() -> None:
    """What a dispatcher with the same secret wrote is believed."""
    assert open_spec(SIGNER, claim_of(make_spec())) == make_spec()


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        (replace(claim_of(make_spec()), spec=make_spec(name="other").to_bytes()), "not signed"),
        (replace(claim_of(make_spec()), signature=""), "not signed"),
        (claim_of(make_spec(), Signer(b"another secret")), "not signed"),
        (claim_of(make_spec(index=1)), "belongs to another call"),
        (claim_of(make_spec(turn_id="u")), "belongs to another call"),
        (claim_of(make_spec(expires_at=1.0)), "has expired"),
    ],
)
def test_a_spec_that_is_not_genuine_is_refused(claim: Claim, reason: str) -> None:
    """Changed, unsigned, foreign and expired records are told apart, and none is believed."""
    with pytest.raises(Untrusted, match=reason):
        open_spec(SIGNER, claim)


def test_signed_nonsense_is_refused() -> None:
    """Text that is signed and yet no spec is refused with the reason."""
    text = b'{"turn_id":"t"}'

    with pytest.raises(Untrusted, match="cannot be read"):
        open_spec(SIGNER, replace(claim_of(make_spec()), spec=text, signature=SIGNER.sign(text)))
