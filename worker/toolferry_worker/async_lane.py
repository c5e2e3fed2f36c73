"""The async lane: many calls at once on one event loop.

1. Celery's main thread takes a notice, waits until there is room, and claims what fits: one round
   trip for the whole batch; what does not fit goes back to the front of its queue. It hands the
   calls over and, once there is room again, takes the next notice, of the most urgent queue.
2. The loop's thread starts a task for each call. A timer cancels it at its limit and reports the
   timeout at that moment. A handler that ignores the cancellation keeps its slot until it really
   ends and counts as stuck; what it then returns is nobody's business any more.
3. Ends go to the settler, notices to the publisher: nothing on the loop waits for a socket.
4. To drain, it takes nothing more, leaves what runs some time, then stops it and gives it back.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Final

import structlog

from toolferry import CallState
from toolferry_ledger import AsyncLedger, Claim, Ledger
from toolferry_worker.attempt import (
    Attempt,
    Finished,
    begin,
    end_late,
    finish,
    give_back,
    pass_limit,
    put_back,
)
from toolferry_worker.calling import call_async
from toolferry_worker.claiming import claim_calls
from toolferry_worker.events import tell_settled
from toolferry_worker.loop_lifespans import LoopLifespans
from toolferry_worker.loop_watch import LoopWatch
from toolferry_worker.persistence import until_answered
from toolferry_worker.progress import Reporter
from toolferry_worker.publisher import Publisher
from toolferry_worker.reaping import ReaperThread
from toolferry_worker.settler import Settler
from toolferry_worker.slots import Slots
from toolferry_worker.station import Station
from toolferry_worker.stopping import is_stopping

log = structlog.get_logger(__name__)

#: Seconds between two looks whether the worker is to stop, while it waits for room.
LOOK_EVERY: Final = 0.1
#: Seconds after its limit at which a handler that still runs is told of as stuck.
STUCK_AFTER: Final = 1.0
#: Seconds to write the last ends when the worker stops.
STOP_PATIENCE: Final = 5.0


@dataclass(eq=False, slots=True)
class _Run:
    """One handler at work."""

    attempt: Attempt
    task: asyncio.Task[None] | None
    #: Whether its end was told already: it is over its limit, or was given back.
    is_told: bool = False
    #: Whether it holds its resource and its place under a limit beyond the end that was told.
    is_holding: bool = False


class AsyncLane:
    """Runs the calls of async tools.

    Args:
        station: Which worker this is.
        ledger: For claims.
        publisher: Publishes notices.
        reaper: Is told of the retries that are scheduled here.
    """

    def __init__(
        self, station: Station, ledger: Ledger, publisher: Publisher, reaper: ReaperThread
    ) -> None:
        self._station = station
        self._ledger = ledger
        self._publisher = publisher
        self._reaper = reaper
        self._slots = Slots(station.slots)
        self._reporter = Reporter(ledger)
        self._runs: set[_Run] = set()
        self._is_over = False
        self._is_closing = False
        self._is_closed = False
        self._loop = asyncio.new_event_loop()
        self._results = AsyncLedger(station.settings)
        self._settler = Settler(station.owner, self._results, publisher.publish, self._on_settled)
        self._lifespans = LoopLifespans(station, self._loop)
        self._watch = LoopWatch(self._loop)
        self._thread = threading.Thread(target=self._live, name="loop", daemon=True)

    @property
    def stuck(self) -> int:
        """How many handlers run on although they are over their limit."""
        return sum(run.is_told for run in self._runs)

    def start(self) -> None:
        """Start the loop."""
        self._thread.start()

    def open(self, serve: Callable[[], None]) -> bool:
        """Open what handlers share, then have calls served; False when the worker is to stop."""
        is_open = self._lifespans.open(is_stopping)
        if is_open:
            until_answered(serve, is_stopping)
        return is_open

    def take(self, notices: Sequence[tuple[str, int]]) -> None:
        """Claim what notices name, as much as has room; Celery's main thread does this."""
        room = self._wait_for_room()
        self._claim(notices, room)  # without room, since the worker stops, all go back
        # The next notice is taken when there is room for it, and is then the most urgent one.
        self._wait_for_room()

    def drain(self, grace: float, stop_pool: Callable[[], None]) -> None:
        """Leave what runs `grace` seconds, give back what still runs, write all ends."""
        if not self._slots.wait_idle(grace):
            self._loop.call_soon_threadsafe(self._give_back_all)
            self._slots.wait_idle(LOOK_EVERY)
        closed = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        if not wait([closed], STOP_PATIENCE).done:
            log.error("worker.left_unwritten")
        self._lifespans.close()
        self._watch.stop()
        self._is_closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LOOK_EVERY)
        if not self._thread.is_alive():  # a handler may hold the loop for ever
            self._loop.close()

    def _wait_for_room(self) -> int:
        while not is_stopping():
            room = self._slots.wait_free(LOOK_EVERY)
            if room:
                return room
        return 0

    def _claim(self, notices: Sequence[tuple[str, int]], room: int) -> None:
        reply = claim_calls(self._ledger, self._station, notices, room, is_stopping)
        self._publisher.publish(reply.rings)
        if reply.claims:
            self._slots.take(len(reply.claims))
            self._loop.call_soon_threadsafe(self._begin, reply.claims)
            # The loop's thread gets the interpreter now, and not when Celery's next waits: 4 % of a
            # single call's time, measured in turns on one machine.
            time.sleep(0)

    def _live(self) -> None:
        """Be the loop's thread."""
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(self._watch.start)
        self._keep_settling()
        while not self._is_closed:  # a handler may stop the loop, or raise SystemExit into it
            try:
                self._loop.run_forever()
            except BaseException:
                log.exception("loop.interrupted")

    def _keep_settling(self, _ended: object = None) -> None:
        """Have the settler run, again if a handler has cancelled it with all other tasks."""
        if not self._is_closing:
            self._keeper = self._loop.create_task(self._settler.run(), name="settler")
            self._keeper.add_done_callback(self._keep_settling)

    async def _close(self) -> None:
        await self._settler.wait_empty()
        self._is_closing = True
        self._keeper.cancel()
        await self._results.aclose()

    def _begin(self, claims: Sequence[Claim]) -> None:
        for claim in claims:
            attempt = begin(claim, self._station, self._reporter)
            if isinstance(attempt, Finished):
                self._settler.put(attempt)
                self._slots.give()
            else:
                self._loop.create_task(self._call(attempt), name=attempt.spec.name)

    async def _call(self, attempt: Attempt) -> None:
        try:
            if self._is_over:
                self._settler.put(put_back(attempt))
            else:
                await self._run(_Run(attempt, asyncio.current_task()))
        finally:
            self._slots.give()

    async def _run(self, run: _Run) -> None:
        self._runs.add(run)
        timer = self._loop.call_later(run.attempt.claim.limit, self._pass_limit, run)
        try:
            end = await call_async(run.attempt)
        finally:
            timer.cancel()
            self._runs.discard(run)
        if not run.is_told:
            self._settler.put(finish(run.attempt, end))
        elif run.is_holding:
            self._settler.put(end_late(run.attempt, end))

    def _pass_limit(self, run: _Run) -> None:
        run.is_holding = True
        self._stop(run, pass_limit(run.attempt))
        self._loop.call_later(STUCK_AFTER, self._tell_stuck, run)

    def _tell_stuck(self, run: _Run) -> None:
        if run in self._runs:
            spec = run.attempt.spec
            log.warning("attempt.stuck", call_id=spec.call_id, tool=spec.name, stuck=self.stuck)

    def _give_back_all(self) -> None:
        self._is_over = True
        for run in list(self._runs):
            if not run.is_told:
                self._stop(run, give_back(run.attempt))

    def _stop(self, run: _Run, finished: Finished) -> None:
        run.is_told = True
        if run.task:
            run.task.cancel()
        self._settler.put(finished)

    def _on_settled(self, finished: Finished, accepted: bool) -> None:  # noqa: FBT001 -- a fact
        tell_settled(finished, accepted)
        if accepted and finished.settlement.state is CallState.RETRYING:
            self._reaper.expect(finished.settlement.delay)
