"""Lost records: what becomes of an open turn when the server has lost its data.

1. A turn that was silent for a while is read again, and the server does not have it.
2. Results that had been told stay as they are. Every other call ends as `lost`; its effect is
   `none` when its tool only reads, else `possible`: nobody knows any more what was started.
3. Who asked for it (`resubmit=True`) has those calls run again that may always run again: reads and
   idempotent tools. Nothing else can be shown to be safe. That a call was waiting when it was last
   looked at proves nothing, since a worker may have started it just before the data was lost.
4. The turn is written anew, with its results, by whoever dispatched it. So all who follow it are
   told the same, and what a worker still brings of its calls is refused.
5. Who only follows the turn waits a while for that, and else ends its calls for itself.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from toolferry import (
    CallError,
    CallState,
    ErrorCode,
    Tool,
    ToolResult,
)
from toolferry_dispatcher.meta import CallMeta
from toolferry_dispatcher.turn_copy import TurnCopy
from toolferry_dispatcher.watch import Watch
from toolferry_ledger import (
    Bell,
    Ledger,
    Route,
    Submission,
    get_log,
    read_result,
    result_text,
)
from toolferry_policies import Care, Happening, care_of, treatment

log = get_log(__name__)

#: Seconds for which who only follows a turn waits for its dispatcher to write it anew.
FOLLOWERS_PATIENCE: Final = 10.0


class LostRecords:
    """Gives each call of a turn that the server has lost its one result.

    Args:
        inbox: The name of the inbox that the turn is told to.
        ledger: Where it is written anew.
        bell: Publishes the notices of calls that run again.
    """

    def __init__(self, inbox: str, ledger: Ledger, bell: Bell) -> None:
        self._inbox = inbox
        self._ledger = ledger
        self._bell = bell

    def make_good(self, watch: Watch) -> None:
        """End the open calls of a turn that the server does not have, or have them run again.

        Raises:
            LedgerUnavailable: The server does not answer; nothing was decided.
        """
        if watch.missed_since is None:
            watch.missed_since = time.monotonic()
        copy = watch.copy
        if copy is None or (copy.digest is None and _is_early(watch)):
            return
        again = _to_run_again(copy, watch)
        results = _results(copy, watch, again)
        if copy.digest is None or self._write(copy, copy.digest, results, again):
            lost = len(results) - len(watch.texts(results))
            log.error("turn.records_lost", turn_id=watch.turn_id, lost=lost, again=len(again))
            watch.warn("The server has lost its data; what was open is lost or runs again.")
            watch.note(results)
        else:
            self._read(watch)

    def _write(
        self,
        copy: TurnCopy,
        digest: str,
        results: Mapping[int, bytes],
        again: Mapping[int, Submission],
    ) -> bool:
        """Write the turn anew; False when somebody else has done so."""
        calls = [
            again.get(at) or _answered(call, copy.tools[at], results[at])
            for at, call in enumerate(copy.meta.calls)
        ]
        turn_id, meta = copy.meta.turn_id, copy.meta.to_bytes()
        reply = self._ledger.submit(turn_id, meta, digest, self._inbox, calls)
        if reply is None:  # the turn's id stands for other calls now
            return True
        self._bell.ring(reply.rings)
        return reply.created

    def _read(self, watch: Watch) -> None:
        record = self._ledger.attach(watch.turn_id, self._inbox)
        if record is not None:
            watch.note(record.results)


def _is_early(watch: Watch) -> bool:
    since = watch.missed_since or 0.0
    return time.monotonic() - since < FOLLOWERS_PATIENCE


def _to_run_again(copy: TurnCopy, watch: Watch) -> dict[int, Submission]:
    """Give the calls that run again: not ended, always safe, and with time left."""
    passed = time.monotonic() - copy.written_at
    return {
        at: replace(call, deadline=call.deadline - passed)
        for at, call in enumerate(copy.submissions)
        if at not in watch.ended
        and _care(copy.tools[at]) is not Care.ONCE
        and call.deadline > passed
    }


def _results(copy: TurnCopy, watch: Watch, again: Mapping[int, Submission]) -> dict[int, bytes]:
    """Give the result of every call that does not run again: as it was told, or lost."""
    ended = [at for at in range(len(copy.meta.calls)) if at not in again]
    told = watch.texts(ended)
    return {at: told.get(at) or _lost(copy, at) for at in ended}


def _lost(copy: TurnCopy, at: int) -> bytes:
    call, care = copy.meta.calls[at], _care(copy.tools[at])
    end = treatment(Happening.DATA_LOST, care)
    message = f"The server lost its data, and with it what became of this call of {call.name}."
    error = CallError.of(ErrorCode.RECORDS_LOST, message)
    result = ToolResult(
        call_id=call.call_id,
        name=call.name,
        outcome=end.outcome,
        effect=end.effect,
        error=error.doubtful() if care is Care.ONCE else error,
        requested_at=copy.requested_at,
        finished_at=copy.requested_at + time.monotonic() - copy.written_at,
    )
    return result_text(result)


def _care(tool: Tool | None) -> Care:
    """Say how careful to be with a tool: very, with one that is not known."""
    return care_of(tool.effect, repeatable=tool.repeatable) if tool else Care.ONCE


def _answered(call: CallMeta, tool: Tool | None, text: bytes) -> Submission:
    """Write down a call that has its result; invented names leave no trace in the indexes."""
    return Submission(
        spec=b"",
        signature="",
        route=Route(call.pool),
        tool=tool.name if tool else "-",
        tenant="",
        timeout=1,
        deadline=1,
        result=text,
        outcome=CallState(read_result(text).outcome.value),
    )
