"""The async lane: many calls at once on one event loop.

1. Celery's main thread takes a notice, waits until there is room, and claims what fits: one round
   trip for the whole batch; what does not fit goes back to the front of its queue. It hands the
   calls over and, once there is room again, takes the next notice, of the most urgent queue.
2. The loop's thread starts a task for each call. A timer cancels it at its limit and, a moment
   later, reports the timeout. A handler that ignores the cancellation keeps its slot until it
   really ends and counts as stuck; what it then returns is told as late and changes nothing. While
   a handler blocks the loop, the sentry does all this, and no call is claimed.
3. Ends go to the settler, notices to the publisher: nothing on the loop waits for a socket.
4. A call that is cancelled has its task cancelled too, and a short grace to end by itself.
5. To drain, it takes nothing more, leaves what runs some time, then stops it and gives it back.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from contextlib import suppress
from typing import Final

import structlog

from toolferry import CallState, Outcome
from toolferry_ledger import (
    AsyncLedger,
    Claim,
    Ledger,
    Settlement,
    connect_alone,
)
from toolferry_worker.attempt import (
    Attempt,
    Finished,
    begin,
    end_late,
    end_unstarted,
    holding,
    put_back,
)
from toolferry_worker.calling import call_async
from toolferry_worker.checkpoints import LoopCheckpoints
from toolferry_worker.claiming import claim_calls
from toolferry_worker.desks import desks
from toolferry_worker.events import tell_settled
from toolferry_worker.head_start import WHOLE_TURN, HeadStart
from toolferry_worker.loop_lifespans import LoopLifespans
from toolferry_worker.loop_watch import LoopWatch
from toolferry_worker.orders import CANCEL_GRACE, Order
from toolferry_worker.persistence import until_answered
from toolferry_worker.progress import Reporter
from toolferry_worker.publisher import Publisher
from toolferry_worker.pulse import Pulse
from toolferry_worker.reaping import ReaperThread
from toolferry_worker.run_ends import left_behind, own_end, stopped
from toolferry_worker.runs import Run, Runs
from toolferry_worker.sentry import Sentry
from toolferry_worker.settler import Settler, is_checkpoint
from toolferry_worker.slots import Slots
from toolferry_worker.stage import Stage
from toolferry_worker.stand_in import StandIn
from toolferry_worker.station import Station
from toolferry_worker.stopping import is_stopping

log = structlog.get_logger(__name__)

#: Seconds between two looks whether the worker is to stop, while it waits for room.
LOOK_EVERY: Final = 0.1
#: Seconds that a handler has to end when it was cancelled at its limit.
LAST_MOMENT: Final = 0.1
#: Seconds after its call's end at which a handler that still runs is told of as stuck.
STUCK_AFTER: Final = 1.0
#: Seconds to write the last ends when the worker stops.
STOP_PATIENCE: Final = 5.0


class AsyncLane:
    """Runs the calls of async tools.

    Args:
        station: Which worker this is.
        ledger: For claims.
        publisher: Publishes notices.
        reaper: Is told of the retries that are scheduled here.
        pulse: Shows the lease's helper whether this process can still do anything.
        replace: Has this worker stop and come back as a new one; gets the reason.
    """

    def __init__(
        self,
        station: Station,
        ledger: Ledger,
        publisher: Publisher,
        reaper: ReaperThread,
        pulse: Pulse,
        replace: Callable[[str], None],
    ) -> None:
        self._station = station
        self._ledger = ledger
        self._publisher = publisher
        self._reaper = reaper
        self._replace = replace
        self._slots = Slots(station.slots)
        station.provided.update(desks(station))
        self._reporter = Reporter(ledger)
        self._runs = Runs()
        self._checkpoints = LoopCheckpoints(station.signer, self._keep, self._in_loop)
        self._is_over = False
        self._is_closing = False
        self._is_closed = False
        self._loop = asyncio.new_event_loop()
        self._results = AsyncLedger(station.settings)
        self._settler = Settler(station.owner, self._results, publisher.publish, self._on_settled)
        self._lifespans = LoopLifespans(station, self._loop)
        self._watch = LoopWatch(self._loop)
        self._head_start = HeadStart(self._loop)
        self._stage = Stage(pulse)
        own = Ledger(station.settings, connect_alone)
        self._stand_in = StandIn(station.owner, own, publisher.publish, self._on_settled)
        self._sentry = Sentry(
            self._runs,
            self._stage,
            self._watch,
            write=self._stand_in.put,
            give_up=self._give_up,
            max_stuck=station.max_stuck,
        )
        self._thread = threading.Thread(target=self._live, name="loop", daemon=True)

    def start(self) -> None:
        """Start the loop."""
        self._thread.start()
        self._stand_in.start()
        self._sentry.start()

    def open(self, serve: Callable[[], None]) -> bool:
        """Open what handlers share, then have calls served; False when the worker is to stop."""
        is_open = self._lifespans.open(is_stopping)
        if is_open:
            until_answered(serve, is_stopping)
        return is_open

    @property
    def has_room(self) -> bool:
        """Whether it would take a notice at this moment."""
        return self._slots.busy < self._slots.size and not self._watch.is_blocked

    def take(self, notices: Sequence[tuple[str, int]]) -> None:
        """Claim what notices name, as much as has room; Celery's main thread does this."""
        room = self._wait_for_room()
        self._claim(notices, room)  # without room, since the worker stops, all go back
        # The next notice is taken when there is room for it, and is then the most urgent one.
        self._wait_for_room()

    def obey(self, order: Order) -> None:
        """Have an attempt stopped whose call was cancelled; any thread may, returns at once."""
        run = self._runs.cancel(order.call_key, order.fence, order.reason, CANCEL_GRACE)
        if run:
            self._loop.call_soon_threadsafe(self._ask, run, CANCEL_GRACE)

    def drain(self, grace: float, stop_pool: Callable[[], None]) -> None:
        """Leave what runs `grace` seconds, give back what still runs, write all ends."""
        if not self._runs.wait_told(grace):
            self._sentry.end_all()
            self._loop.call_soon_threadsafe(self._give_back_all)
            self._runs.wait_told(STOP_PATIENCE)
        self._sentry.stop()
        self._write_all()
        self._stand_in.stop()
        self._lifespans.close()
        self._watch.stop()
        self._is_closed = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(2 * LAST_MOMENT)  # no longer: a handler may hold the loop for ever

    def _write_all(self) -> None:
        closed = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
        patience = LOOK_EVERY if self._watch.is_blocked else STOP_PATIENCE
        if not wait([closed], patience).done:
            # Writing one twice is harmless: the first counts.
            for finished in self._settler.unwritten:
                self._stand_in.put(finished)

    def _wait_for_room(self) -> int:
        while not is_stopping():
            room = self._slots.wait_free(LOOK_EVERY)
            if room and not self._watch.is_blocked:
                return room
            if room:
                time.sleep(LOOK_EVERY)
        return 0

    def _claim(self, notices: Sequence[tuple[str, int]], room: int) -> None:
        reply = claim_calls(self._ledger, self._station, notices, room, is_stopping)
        self._publisher.publish(reply.rings)
        if reply.wake is not None:
            self._reaper.expect(reply.wake)
        if reply.claims:
            self._hand_over([Run(claim) for claim in reply.claims])

    def _hand_over(self, runs: Sequence[Run]) -> None:
        goes_first = self._slots.busy == 0 and len(runs) <= WHOLE_TURN
        self._slots.take(len(runs))
        self._runs.add(runs)
        self._head_start.give()
        self._loop.call_soon_threadsafe(self._begin, runs)
        if goes_first:
            self._head_start.wait()
        else:
            time.sleep(0)  # the loop's thread gets the interpreter now, and not when this one waits

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
        self._is_closing = True
        self._loop.run_until_complete(self._cancel_rest())
        self._loop.close()

    async def _cancel_rest(self) -> None:
        """Have no task be destroyed while it waits; one that ignores this is left behind."""
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        if rest:
            await asyncio.wait(rest, timeout=LAST_MOMENT)

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

    def _begin(self, runs: Sequence[Run]) -> None:
        for run in runs:
            self._stage.enter(run)
            attempt = begin(run.claim, self._station, self._reporter, self._checkpoints)
            self._stage.leave()
            if isinstance(attempt, Finished):
                self._write(run, attempt)
                self._let_go(run)
            else:
                run.attempt = attempt
                run.made = self._loop.create_task(self._call(run, attempt), name=attempt.spec.name)
        self._head_start.end_soon()

    async def _call(self, run: Run, attempt: Attempt) -> None:
        run.task = run.made  # asking asyncio for it takes 3 µs
        try:
            if self._is_over:
                self._write(run, put_back(attempt))
            elif run.cancelled is not None:
                self._write(run, end_unstarted(attempt, run.cancelled))
            elif self._runs.begin(run):
                await self._run(run, attempt)
        finally:
            self._let_go(run)

    async def _run(self, run: Run, attempt: Attempt) -> None:
        timer = self._loop.call_at(run.limit_at, self._pass_limit, run)
        try:
            end = await self._stage.follow(run, call_async(attempt))
        finally:
            timer.cancel()
        if self._is_over and end.outcome is not Outcome.SUCCEEDED:
            finished = stopped(run, attempt)
        else:
            finished = own_end(run, attempt, end)
        if not self._write(run, finished) and run.is_overdue:
            self._settler.put(end_late(attempt, end))

    def _in_loop(self, act: Callable[[], None]) -> None:
        if threading.current_thread() is self._thread:
            act()
        else:
            with suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
                self._loop.call_soon_threadsafe(act)

    def _keep(self, claim: Claim, checkpoint: Settlement) -> None:
        self._settler.keep(Finished(claim, "", "", checkpoint, None, 0.0))

    def _pass_limit(self, run: Run) -> None:
        run.is_overdue = True
        self._ask(run, LAST_MOMENT)

    def _ask(self, run: Run, patience: float) -> None:
        """Have a handler stop; when it does not, its call ends without it."""
        if run.task:
            run.task.cancel()
            self._loop.call_later(patience, self._leave, run)

    def _leave(self, run: Run) -> None:
        """Have a call end whose handler runs on."""
        if run.attempt and not run.is_told:
            run.is_overdue = True
            self._write(run, left_behind(run, run.attempt))
            self._loop.call_later(STUCK_AFTER, self._tell_stuck, run)

    def _tell_stuck(self, run: Run) -> None:
        if run.attempt and run in self._runs:
            spec, stuck = run.attempt.spec, self._runs.stuck(0.0)
            log.warning("attempt.stuck", call_id=spec.call_id, tool=spec.name, stuck=stuck)

    def _give_back_all(self) -> None:
        self._is_over = True
        for run in self._runs.untold():
            if run.attempt and run.task:
                run.task.cancel()
                self._loop.call_later(LAST_MOMENT, self._give_back, run, run.attempt)

    def _give_back(self, run: Run, attempt: Attempt) -> None:
        """Tell what becomes of a call whose handler did not end although the worker stops."""
        if not run.is_told:
            run.is_overdue = True
            self._write(run, holding(stopped(run, attempt)))

    def _give_up(self, reason: str) -> None:
        self._is_over = True
        self._replace(reason)

    def _write(self, run: Run, finished: Finished) -> bool:
        """Have the end of a run written, unless somebody has; tells whether it was this one."""
        is_first = self._runs.tell(run)
        if is_first:
            self._settler.put(finished)
        return is_first

    def _let_go(self, run: Run) -> None:
        self._runs.remove(run)
        self._slots.give()

    def _on_settled(self, finished: Finished, accepted: bool) -> None:  # noqa: FBT001 -- a fact
        if is_checkpoint(finished):
            return
        tell_settled(finished, accepted)
        if accepted and finished.settlement.state is CallState.RETRYING:
            self._reaper.expect(finished.settlement.delay)
