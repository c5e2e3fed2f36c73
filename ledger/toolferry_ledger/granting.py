"""A person's yes, as it is written: with the grant, for the record that the person saw."""

from __future__ import annotations

from dataclasses import dataclass

from toolferry_ledger.decisions import Decision, DecisionRefused
from toolferry_ledger.grants import Grant, digest_of, write_grants
from toolferry_ledger.records import Approved, Suspect
from toolferry_ledger.signing import Signer
from toolferry_ledger.spec import Spec
from toolferry_policies import Approver


@dataclass(frozen=True, slots=True)
class Case:
    """A call that waits, as a person saw it."""

    suspect: Suspect
    spec: Spec
    #: What its record keeps of grants, and the genuine ones of them.
    kept: bytes
    grants: tuple[Grant, ...]

    def has(self, decision: Decision) -> bool:
        """Tell whether a decision is kept already: a write whose answer was lost is made again."""
        return decision.token in {one.token for one in self.grants}


def still_wanted(case: Case, spec: Spec, decision: Decision) -> int:
    """Give how many people have to say yes after this decision."""
    before = len(case.grants) if spec is case.spec else 0
    return spec.terms.needed - before - (0 if case.has(decision) else 1)


def write_yes(
    signer: Signer, case: Case, spec: Spec, who: Approver, decision: Decision
) -> Approved:
    """Write a yes down.

    Args:
        signer: Signs the grant, and an edited record.
        case: The call as it was seen.
        spec: The call as it is to run: that of the case, or another one when it was edited, to
            which nobody has agreed before.
        who: Who says so.
        decision: The yes; `wants` says whether more have to follow.

    Raises:
        DecisionRefused: This person has said so before.
    """
    key = case.suspect.call_key
    before = case.grants if spec is case.spec else ()
    if who.name in {one.who.name for one in before}:
        raise DecisionRefused(key, f"{who.name} has approved it already: it takes somebody else")
    text = case.suspect.spec if spec is case.spec else spec.to_bytes()
    grant = Grant(
        call_key=key,
        spec=digest_of(text),
        who=who,
        at=decision.at,
        until=spec.expires_at,
        token=decision.token,
        standing=decision.standing,
    )
    return Approved(
        call_key=key,
        seen_signature=case.suspect.signature,
        seen_grants=case.kept,
        spec=text,
        signature=signer.sign(text),
        grants=write_grants(signer, (*before, grant)),
        decision=decision.to_bytes(),
        more=decision.wants,
        standing=decision.standing,
    )
