"""A child of a process worker: one call at a time, in a process that can be killed.

1. It is forked by Celery's prefork pool. It makes its own connections, leads its own process group,
   so that killing the group takes along whatever a handler has started, and takes a row on the
   board, where it always says what it does.
2. For each notice it claims, calls the handler, and writes the end, all by itself.
3. At the limit the parent's watchdog sends SIGUSR1, which raises `SoftTimeLimitExceeded` in the
   handler. What a handler returns after its limit counts as timed out, also when it swallowed that.
   The same is sent when the call was cancelled; which of the two it was, the record says.
4. While the server is away it waits with its claim or its result; nobody kills it for that.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from types import FrameType

from billiard.pool import Worker
from billiard.process import current_process
from celery.exceptions import SoftTimeLimitExceeded

from toolferry import CallState, Outcome
from toolferry_ledger import Bell, Claim, Ledger, cancelled_end, connect_alone, limit_end
from toolferry_policies import AttemptEnd
from toolferry_worker.attempt import Attempt, Finished, begin, finish
from toolferry_worker.board import Board, Seat
from toolferry_worker.calling import call_sync
from toolferry_worker.capture import install_capture
from toolferry_worker.checkpoints import ChildCheckpoints
from toolferry_worker.claiming import claim_calls
from toolferry_worker.descendants import kill_started_since
from toolferry_worker.events import tell_settled
from toolferry_worker.persistence import never, until_answered
from toolferry_worker.progress import Reporter
from toolferry_worker.station import Station


class Child:
    """Runs the calls of one child process.

    Args:
        station: The worker that it belongs to.
        seat: Where it says what it does.
    """

    def __init__(self, station: Station, seat: Seat) -> None:
        self._station = station
        self._seat = seat
        self._ledger = Ledger(station.settings, connect_alone)
        self._bell = Bell(station.settings)
        self._reporter = Reporter(self._ledger)
        self._checkpoints = ChildCheckpoints(self._ledger, station.owner, station.signer)
        self._is_calling = self._was_asked = False

    def take(self, notices: Sequence[tuple[str, int]]) -> None:
        """Claim the calls that notices name and bring each to its written end."""
        for notice in notices:
            self._seat.take(*notice)
            self._claim(notice)
            self._seat.leave()

    def _claim(self, notice: tuple[str, int]) -> None:
        reply = claim_calls(self._ledger, self._station, [notice], 1, never)
        if reply.wake is not None:
            self._seat.expect_retry(time.monotonic() + reply.wake)
        # Before the handler runs: others can take these meanwhile.
        self._bell.ring(reply.rings)
        for claim in reply.claims:
            self._settle(self._attempt(claim))

    def _attempt(self, claim: Claim) -> Finished:
        # Celery sets its own handler after a child's start, so this cannot be done once.
        signal.signal(signal.SIGUSR1, self._on_asked)
        self._was_asked = False
        began = time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else 0.0
        self._seat.call(claim.limit)
        attempt = begin(claim, self._station, self._reporter, self._checkpoints)
        if isinstance(attempt, Finished):
            self._seat.called()
            return attempt
        end = self._in_time(attempt, self._call(attempt))
        if self._was_asked and end.outcome is not Outcome.SUCCEEDED:
            kill_started_since(os.getpid(), began)
        self._seat.called()
        return finish(attempt, self._why_asked(attempt, end))

    def _call(self, attempt: Attempt) -> AttemptEnd:
        try:
            self._is_calling = True
            self._stop_if_asked()
            end = call_sync(attempt)
            self._is_calling = False
        except SoftTimeLimitExceeded:  # it came when the handler had just ended
            self._is_calling = False
            end = limit_end(attempt.spec, attempt.claim.limit)
        return end

    def _on_asked(self, _number: int, _frame: FrameType | None) -> None:
        self._was_asked = True
        if self._is_calling:
            raise SoftTimeLimitExceeded

    def _stop_if_asked(self) -> None:
        if self._was_asked:
            raise SoftTimeLimitExceeded

    def _why_asked(self, attempt: Attempt, end: AttemptEnd) -> AttemptEnd:
        """Give the end of a handler that was asked to stop: its own, or that it was cancelled."""
        if not self._was_asked or end.outcome is Outcome.SUCCEEDED:
            return end
        key = attempt.claim.call_key
        suspect = until_answered(lambda: self._ledger.inspect_call(key), never)
        if suspect is None or suspect.cancelled is None:
            return end
        known = None if attempt.claim.doubt else end.effect
        return cancelled_end(attempt.spec, suspect.cancelled, started=True, effect=known)

    def _in_time(self, attempt: Attempt, end: AttemptEnd) -> AttemptEnd:
        limit = attempt.claim.limit
        return end if attempt.elapsed < limit else limit_end(attempt.spec, limit)

    def _settle(self, finished: Finished) -> None:
        settlement = finished.settlement
        reply = until_answered(
            lambda: self._ledger.settle([settlement], self._station.owner), never
        )
        if reply is None:
            return
        if settlement.state is CallState.RETRYING and reply.accepted[0]:
            self._seat.expect_retry(time.monotonic() + settlement.delay)
        tell_settled(finished, reply.accepted[0])
        self._bell.ring(reply.rings)


def _leave_at_once() -> None:
    """Have this child end when it is told to.

    billiard's children wait up to 30 s for the parent to have read all that they sent, which a
    parent that is stopping does not always do (seen in one stop of ten under load). What they send
    are Celery's results, which mean nothing here: the ledger has what counts.
    """
    Worker._ensure_messages_consumed = lambda *_args, **_options: True  # type: ignore[attr-defined]  # noqa: SLF001 -- there is no setting


def leave_if_orphaned(parent: int) -> None:
    """End this process when its parent has died already.

    A child has the kernel kill it when its parent dies (Celery asks for that first of all). Of a
    parent that was dead by then it would never hear, and wait for work for ever.
    """
    if os.getppid() != parent:
        os._exit(1)


def become_child(station: Station, board: Board, parent: int) -> Child:
    """Make this process, which was just forked, a child of the process worker `parent`."""
    leave_if_orphaned(parent)
    os.setpgid(0, 0)
    install_capture()
    _leave_at_once()
    # Set by billiard's pool; a child that replaces another has the same.
    seat = board.seat(getattr(current_process(), "index"))  # noqa: B009 -- unknown to its stubs
    seat.enter(os.getpid())
    return Child(station, seat)
