"""Approvals: calls that wait in the ledger for a person, and what that person decides, once.

Nothing about them is kept in a process: whoever has the ledger can list and decide them, also after
every dispatcher and worker has been restarted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry import CallState
from toolferry.legible import one_line
from toolferry_ledger.bell import Bell
from toolferry_ledger.cancelling import phrase
from toolferry_ledger.connection import server_errors
from toolferry_ledger.decisions import Decision, DecisionRefused, PendingApproval, denied
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.letters import CallUnknown
from toolferry_ledger.logs import get_log
from toolferry_ledger.records import Suspect
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec

log = get_log(__name__)

#: Calls that are looked at together.
_BATCH: Final = 200
#: Characters of a person's name that are kept.
_MAX_NAME: Final = 200


class Approvals:
    """The calls of a system that wait for a person; works also when every worker is dead.

    All methods raise `LedgerUnavailable` when the server does not answer.

    Args:
        ledger: The records.
        bell: Publishes the notices of calls that go on.
        signer: Tells genuine records.
    """

    def __init__(self, ledger: Ledger, bell: Bell, signer: Signer) -> None:
        self._ledger = ledger
        self._bell = bell
        self._signer = signer

    def pending(self) -> tuple[PendingApproval, ...]:
        """Give the calls that can be decided now, the oldest first.

        A record that cannot be believed is left out, and told in the log.
        """
        keys = self._keys()
        batches = (keys[at : at + _BATCH] for at in range(0, len(keys), _BATCH))
        suspects = (one for batch in batches for one in self._ledger.inspect_calls(batch))
        return tuple(found for one in suspects for found in self._read(one))

    def approve(self, call_key: str, who: str) -> Decision:
        """Let a call go on.

        Args:
            call_key: The call.
            who: The name of the person who says so; it is recorded, and not verified.

        Raises:
            DecisionRefused: It was decided before, its deadline has passed, it never waited for a
                person, its record cannot be believed, or the name is empty.
            CallUnknown: The ledger does not have it.
        """
        suspect, _ = self._open(call_key)
        decision = Decision(approved=True, who=_name(call_key, who), at=suspect.now)
        accepted, rings = self._ledger.approve(call_key, decision.to_bytes())
        self._bell.ring(rings)
        return self._taken(call_key, decision, accepted=accepted)

    def deny(self, call_key: str, who: str, reason: str = "") -> Decision:
        """End a call without running it.

        Args:
            call_key: The call.
            who: As above.
            reason: Why, one sentence for the model; of a longer text 500 characters.

        Raises:
            DecisionRefused: As above; after its deadline only when it has ended by that.
            CallUnknown: As above.
        """
        suspect, spec = self._open(call_key)
        decision = Decision(
            approved=False, who=_name(call_key, who), at=suspect.now, reason=phrase(reason)
        )
        reply = self._ledger.settle([denied(spec, suspect, decision)])
        self._bell.ring(reply.rings)
        return self._taken(call_key, decision, accepted=reply.accepted[0])

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

    def _taken(self, call_key: str, decision: Decision, *, accepted: bool) -> Decision:
        """Give a decision that was taken; say why it was not."""
        if not accepted:
            state, known = self._stands(call_key)
            # A write whose answer was lost is made again, and then finds itself.
            if known != decision:
                raise DecisionRefused(call_key, _refusal(state, known))
        log.info("approval.decided", call_key=call_key, decision=str(decision))
        return decision

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

    def _read(self, suspect: Suspect) -> Iterator[PendingApproval]:
        """Give a call as it is asked about; nothing when it cannot be decided, or not any more."""
        asks = suspect.state is CallState.AWAITING_APPROVAL and suspect.now < suspect.deadline_at
        if not asks:
            return
        try:
            spec = open_spec(self._signer, suspect)
        except Untrusted as error:
            log.error(  # noqa: TRY400 -- a fact to act on, and no fault of ours to trace
                "call.untrusted", call_key=suspect.call_key, reason=str(error)
            )
            return
        yield PendingApproval(
            call_key=suspect.call_key,
            spec=spec,
            since=suspect.requested_at,
            deadline_at=suspect.deadline_at,
        )


def _name(call_key: str, who: str) -> str:
    name = one_line(who, _MAX_NAME).strip()
    if not name:
        raise DecisionRefused(call_key, "the name of who decides is empty: give one")
    return name


def _refusal(state: CallState, known: Decision | None) -> str:
    """Say why a decision was not taken."""
    if known is not None:
        return f"already decided: {known}"
    if state is CallState.AWAITING_APPROVAL:
        return "its deadline has passed, so it ends without a decision"
    return f"it waits for nobody's decision: it is {state.value}"
