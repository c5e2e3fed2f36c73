"""Allowing: calls that wait for a person are approved by what people have allowed in advance.

1. A turn is written as always: its calls that need a person wait. Only then is looked whether
   somebody has allowed them: turns without such a call are none of this.
2. What answers is the allowance's person: the call gets the same signed grant, for exactly this
   record, as if they had approved it now. A worker asks for nothing else.
3. The script that approves counts the use, in the same step, and only if the allowance is still
   there, has uses left, and the call still waits.
4. Whatever goes wrong leaves the call waiting for a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from toolferry import CallState, Context, LedgerUnavailable, Tool
from toolferry_ledger.asking import can_be_decided
from toolferry_ledger.bell import Bell
from toolferry_ledger.decisions import Decision, DecisionRefused
from toolferry_ledger.editing import EditRefused, Jury, check_again
from toolferry_ledger.granting import Case, write_yes
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.logs import get_log
from toolferry_ledger.records import Suspect
from toolferry_ledger.sealing import open_secrets
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec
from toolferry_ledger.standing import StandingApprovals
from toolferry_policies import Allowance, covers, refuse_to_answer

log = get_log(__name__)

#: Calls that are looked at together.
_BATCH: Final = 200


class Allowing:
    """Answers calls that wait for people with what those have allowed.

    Args:
        ledger: The records.
        bell: Publishes the notices of calls that go on.
        signer: Tells genuine records, and signs grants.
        jury: Knows the tools, and judges once more where operators have changed their policy.
    """

    def __init__(self, ledger: Ledger, bell: Bell, signer: Signer, jury: Jury) -> None:
        self._ledger = ledger
        self._bell = bell
        self._signer = signer
        self._jury = jury
        self._standing = StandingApprovals(ledger, signer, jury)

    def answer(self, calls: Mapping[str, str], context: Context) -> None:
        """Approve those of some calls that somebody has allowed; the others wait on.

        Idempotent: a call that does not wait any more is left alone. Never raises because the
        server does not answer: the calls are written, and people can decide about them.

        Args:
            calls: The name of its tool for each call key; all of one turn.
            context: For whom they are.
        """
        try:
            found = self._standing.find(set(calls.values()), context)
            keys = [key for key, tool in calls.items() if tool in found]
            for at in range(0, len(keys), _BATCH):
                for suspect in self._ledger.inspect_calls(keys[at : at + _BATCH]):
                    self._answer(suspect, found[calls[suspect.call_key]])
        except LedgerUnavailable as error:
            log.warning("approval.not_answered", calls=list(calls), reason=str(error))

    def _answer(self, suspect: Suspect, allowances: Sequence[Allowance]) -> None:
        if suspect.state is not CallState.AWAITING_APPROVAL:
            return
        try:
            spec = open_spec(self._signer, suspect)
            tool = self._jury.tool_of(spec)
            if tool is None or not can_be_decided(suspect, spec):
                return
            opened = open_secrets(spec, self._signer)
            check_again(self._jury, spec, self._signer)
            self._use_first(Case(suspect, spec, b"", ()), opened, tool, allowances)
        except (Untrusted, EditRefused, DecisionRefused) as error:
            log.warning("approval.not_answered", call_key=suspect.call_key, reason=str(error))

    def _use_first(
        self, case: Case, opened: Spec, tool: Tool, allowances: Sequence[Allowance]
    ) -> None:
        for one in allowances:
            is_meant = covers(one, tool, opened.context, opened.arguments)
            may_answer = is_meant and not refuse_to_answer(one, opened.terms)
            if may_answer and self._use(case, one) != "spent":
                return

    def _use(self, case: Case, one: Allowance) -> str:
        decision = Decision(
            approved=True,
            who=one.who.name,
            at=case.suspect.now,
            reason=one.note,
            verified=one.who.verified,
            standing=one.id,
            allowed_at=one.at,
        )
        yes = write_yes(self._signer, case, case.spec, one.who, decision)
        word, rings = self._ledger.approve(yes)
        self._bell.ring(rings)
        if word == "taken":
            log.info("approval.decided", call_key=yes.call_key, decision=str(decision))
        return word
