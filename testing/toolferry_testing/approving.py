"""A rehearsal's people: as many as have to, and with the role that they need, say yes."""

from __future__ import annotations

from toolferry_ledger import Grant, Signer, Spec, Submission, digest_of, write_grants
from toolferry_policies import Approver


def approved(signer: Signer, key: str, call: Submission) -> bytes:
    """Give the grants of a call; none when nobody has to decide about it."""
    if not call.awaits_approval:
        return b""
    spec = Spec.from_bytes(call.spec)
    people = (
        Approver(f"rehearsed person {number}", spec.terms.roles, verified=True)
        for number in range(spec.terms.needed)
    )
    return write_grants(
        signer,
        (
            Grant(
                call_key=key,
                spec=digest_of(call.spec),
                who=who,
                at=spec.issued_at,
                until=spec.expires_at,
                token=who.name,
            )
            for who in people
        ),
    )
