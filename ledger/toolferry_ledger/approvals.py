"""Approvals: calls that wait in the ledger for people, and what those decide, once.

Nothing about them is kept in a process: whoever has the ledger can list and decide them, also after
every dispatcher and worker has been restarted.

A yes is a signed grant for the record as it stands. It is written only if the record still is what
the person saw; if somebody was faster, it is looked at again. With the last yes that has to be, the
call goes on, in the same script.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from toolferry import CallState
from toolferry.legible import one_line
from toolferry_ledger.asking import PendingApproval, ask, can_be_decided
from toolferry_ledger.bell import Bell
from toolferry_ledger.cancelling import phrase
from toolferry_ledger.connection import server_errors
from toolferry_ledger.decisions import Decision, DecisionRefused, denied
from toolferry_ledger.editing import EditRefused, Jury, check_again, edit
from toolferry_ledger.granting import Case, still_wanted, write_yes
from toolferry_ledger.grants import Grant, read_grants
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.letters import CallUnknown
from toolferry_ledger.logs import get_log
from toolferry_ledger.records import Suspect
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec
from toolferry_ledger.standing import StandingApprovals
from toolferry_ledger.tokens import MAX_NAME
from toolferry_policies import Approver, refuse_to_approve, refuse_to_decide

log = get_log(__name__)

#: Calls that are looked at together.
_BATCH: Final = 200
#: Times that a call is looked at again because somebody else said yes to it meanwhile.
_LOOKS: Final = 25


#: Knows no tool, and no policy.
NO_JURY: Final = Jury()


class Approvals:
    """The calls of a system that wait for people; works also when every worker is dead.

    All methods raise `LedgerUnavailable` when the server does not answer.

    Args:
        ledger: The records.
        bell: Publishes the notices of calls that go on.
        signer: Tells genuine records, and signs grants.
        jury: Knows the tools: without one nothing of its arguments is shown, or edited.
    """

    def __init__(self, ledger: Ledger, bell: Bell, signer: Signer, jury: Jury = NO_JURY) -> None:
        self._ledger = ledger
        self._bell = bell
        self._signer = signer
        self._jury = jury
        #: What people have approved before anybody asked.
        self.standing = StandingApprovals(ledger, signer, jury)

    def pending(self) -> tuple[PendingApproval, ...]:
        """Give the calls that can be decided now, the oldest first.

        A record that cannot be believed is left out, and told in the log.
        """
        keys = self._keys()
        batches = (keys[at : at + _BATCH] for at in range(0, len(keys), _BATCH))
        suspects = (one for batch in batches for one in self._ledger.inspect_calls(batch))
        return tuple(found for one in suspects for found in self.ask(one))

    def ask(self, suspect: Suspect) -> Iterator[PendingApproval]:
        """Give a call as it is asked about; nothing when it cannot be decided, or not any more."""
        if suspect.state is not CallState.AWAITING_APPROVAL:
            return
        try:
            spec = open_spec(self._signer, suspect)
        except Untrusted as error:
            log.error(  # noqa: TRY400 -- a fact to act on, and no fault of ours to trace
                "call.untrusted", call_key=suspect.call_key, reason=str(error)
            )
            return
        if can_be_decided(suspect, spec):
            several = spec.terms.needed > 1
            grants = self._grants(suspect, self._kept(suspect.call_key)) if several else ()
            yield ask(
                suspect, spec, self._jury.tool_of(spec), tuple(one.who.name for one in grants)
            )

    def approve(
        self,
        call_key: str,
        who: Approver,
        arguments: Mapping[str, Any] | None = None,
        note: str = "",
    ) -> Decision:
        """Let a call go on, or count as one of the people who have to say so.

        Args:
            call_key: The call.
            who: Who says so.
            arguments: What it shall run with instead, all of it; every check of its tool is asked
                again. Whoever approved the call as it was before has to do so anew. None: as it is.
            note: One sentence that is kept, and that the model reads when arguments are changed; of
                a longer text 500 characters.

        Raises:
            DecisionRefused: It was decided before, its time has passed, it never waited for a
                person, its record cannot be believed, this person may not, has approved it before,
                or the arguments may not be.
            CallUnknown: The ledger does not have it.
        """
        decision = None
        for _ in range(_LOOKS):
            case = self._case(call_key)
            decision = decision or Decision(
                approved=True,
                who=_name(call_key, who),
                at=case.suspect.now,
                reason=phrase(note),
                verified=who.verified,
            )
            if case.has(decision):
                return self._told(call_key, decision)
            if not can_be_decided(case.suspect, case.spec):
                return self._found(call_key, decision)
            spec = self._allowed(case, who, arguments, decision.reason)
            decision = replace(decision, wants=still_wanted(case, spec, decision))
            yes = write_yes(self._signer, case, spec, who, decision)
            word, rings = self._ledger.approve(yes)
            self._bell.ring(rings)
            if word == "taken":
                return self._told(call_key, decision)
        raise DecisionRefused(call_key, "too many people decide about it at once: try again")

    def deny(self, call_key: str, who: Approver, reason: str = "") -> Decision:
        """End a call without running it.

        Args:
            call_key: The call.
            who: Who says so.
            reason: Why, one sentence for the model; of a longer text 500 characters.

        Raises:
            DecisionRefused: As above; after its deadline only when it has ended by that.
            CallUnknown: As above.
        """
        suspect, spec = self._open(call_key)
        decision = Decision(
            approved=False,
            who=_name(call_key, who),
            at=suspect.now,
            reason=phrase(reason),
            verified=who.verified,
        )
        if suspect.state is CallState.AWAITING_APPROVAL:
            _require(call_key, refuse_to_decide(who, spec.terms))
        reply = self._ledger.settle([denied(spec, suspect, decision)])
        self._bell.ring(reply.rings)
        if not reply.accepted[0]:
            return self._found(call_key, decision)
        return self._told(call_key, decision)

    def _allowed(
        self, case: Case, who: Approver, arguments: Mapping[str, Any] | None, note: str
    ) -> Spec:
        """Give the call as it is to run, if this person may have it run so."""
        spec, key = case.spec, case.suspect.call_key
        _require(key, refuse_to_approve(who, spec.terms, spec.context.principal))
        try:
            if arguments is not None:
                return edit(self._jury, spec, arguments, note, self._signer)
            check_again(self._jury, spec, self._signer)
        except (EditRefused, Untrusted) as error:
            raise DecisionRefused(key, str(error)) from error
        return spec

    def _case(self, call_key: str) -> Case:
        suspect, spec = self._open(call_key)
        kept = self._kept(call_key)
        return Case(suspect, spec, kept, self._grants(suspect, kept))

    def _open(self, call_key: str) -> tuple[Suspect, Spec]:
        suspect = self._ledger.inspect_call(call_key)
        if suspect is None:
            raise CallUnknown(call_key)
        try:
            return suspect, open_spec(self._signer, suspect)
        except Untrusted as error:
            raise DecisionRefused(
                call_key, "its record cannot be trusted, so nobody can decide about it"
            ) from error

    def _grants(self, suspect: Suspect, kept: bytes) -> tuple[Grant, ...]:
        return read_grants(self._signer, kept, suspect.call_key, suspect.spec)

    def _kept(self, call_key: str) -> bytes:
        record = f"{self._ledger.settings.key_prefix}call:{call_key}"
        with server_errors(self._ledger.settings):
            kept = self._ledger.client.hget(record, "grants")
        return kept if isinstance(kept, bytes) else b""

    def _told(self, call_key: str, decision: Decision) -> Decision:
        log.info("approval.decided", call_key=call_key, decision=str(decision))
        return decision

    def _found(self, call_key: str, decision: Decision) -> Decision:
        """Give a decision that is the one which was taken; say why it was not."""
        state, known = self._stands(call_key)
        # A write whose answer was lost is made again, and then finds itself.
        if known is None or known.token != decision.token:
            raise DecisionRefused(call_key, _refusal(state, known))
        return self._told(call_key, decision)

    def _stands(self, call_key: str) -> tuple[CallState, Decision | None]:
        record = f"{self._ledger.settings.key_prefix}call:{call_key}"
        with server_errors(self._ledger.settings):
            state, text = self._ledger.client.hmget(record, ["state", "decision"])
        if not isinstance(state, bytes):
            raise CallUnknown(call_key)
        known = Decision.from_bytes(text) if isinstance(text, bytes) else None
        return CallState(state.decode()), known

    def _keys(self) -> list[str]:
        index = f"{self._ledger.settings.key_prefix}state:{CallState.AWAITING_APPROVAL.value}"
        with server_errors(self._ledger.settings):
            keys: Any = self._ledger.client.zrange(index, 0, -1)
        return [key.decode() for key in keys]


def _require(call_key: str, refusal: str) -> None:
    if refusal:
        raise DecisionRefused(call_key, refusal)


def _name(call_key: str, who: Approver) -> str:
    name = one_line(who.name, MAX_NAME).strip()
    if not name or name != who.name:
        raise DecisionRefused(
            call_key, "the name of who decides must be legible, on one line, and not empty"
        )
    return name


def _refusal(state: CallState, known: Decision | None) -> str:
    """Say why a decision was not taken."""
    if known is not None:
        return f"already decided: {known}"
    if state is CallState.AWAITING_APPROVAL:
        return "its time has passed, so it ends without a decision"
    return f"it waits for nobody's decision: it is {state.value}"
