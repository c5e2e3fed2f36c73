"""The sentry of the event loop: a thread that acts where a blocked loop cannot.

A handler of the async lane may hold the loop: it sleeps in its thread, or computes. Then no timer
of the loop fires. The sentry does what the loop would do, over a connection of its own:

1. What is over its limit is told as timed out, and what was cancelled as that after its grace,
   whichever call it is that holds the loop.
2. What was claimed and has not begun is given back at once; nothing more is claimed meanwhile.
3. When the handler that holds the loop is itself over its limit, and goes on, the worker is given
   up: what else it runs is given back, and it replaces itself, see `replacement`. So it is when
   more handlers are stuck than it may have.

Time in which the sentry itself did not run, because its process was stopped or its interpreter
held, counts for nothing: a loop that is about to go on gets the time to do so.

A handler that holds not only the loop but the interpreter keeps the sentry from running as well;
the helper that renews the lease takes care of that, see `warden`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from toolferry_worker.attempt import Finished, holding
from toolferry_worker.loop_watch import BLOCKED_AFTER, LoopWatch
from toolferry_worker.run_ends import left_behind, stopped, unbegun
from toolferry_worker.runs import Run, Runs
from toolferry_worker.stage import Stage

#: Seconds between two looks.
LOOK_EVERY: Final = 0.1
#: Seconds after a limit in which a living loop has told of it.
LOOPS_TIME: Final = 0.4
#: Seconds after its limit for which a handler that holds the loop is waited for.
HOLDERS_TIME: Final = 1.5
#: Seconds after its call's end for which a handler that runs on is not yet counted as stuck.
STUCK_TIME: Final = 5.0
#: Seconds for which a loop may be held by nobody's handler, such as a task that one left behind.
NOBODYS_TIME: Final = 10.0


class Sentry:
    """Looks after the runs of an event loop.

    Args:
        runs: What runs.
        stage: Knows who has the loop; is told that threads run.
        watch: Knows how long the loop has been blocked.
        write: Has an end written.
        give_up: Has the worker replaced; gets the reason, in one sentence.
        max_stuck: How many handlers may be stuck.
    """

    def __init__(
        self,
        runs: Runs,
        stage: Stage,
        watch: LoopWatch,
        *,
        write: Callable[[Finished], None],
        give_up: Callable[[str], None],
        max_stuck: int,
    ) -> None:
        self._runs = runs
        self._stage = stage
        self._watch = watch
        self._write = write
        self._give_up = give_up
        self._max_stuck = max_stuck
        self._is_over = False
        self._looked_at = self._awake_since = time.monotonic()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loop-sentry", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        # Before any call can hold the interpreter: without a first beat nobody would miss the next.
        self._stage.beat(time.monotonic(), 0.0)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()
        self._thread.join()

    def end_all(self) -> None:
        """Give back whatever runs, now and until the sentry stops."""
        self._is_over = True

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_EVERY):
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Do what is to be done at this moment.

        Args:
            now: This machine's monotonic clock, in seconds.
        """
        if now - self._looked_at > BLOCKED_AFTER:
            self._awake_since = now
        self._looked_at = now
        self._stage.beat(now, self._runs.last_limit)
        is_blocked = self._blocked_for(now) >= BLOCKED_AFTER
        for run in self._runs.untold():
            self._look_at(run, now, is_blocked=is_blocked)
        if not self._is_over and (reason := self._reason(now)):
            self._is_over = True
            self._give_up(reason)

    def _blocked_for(self, now: float) -> float:
        return min(self._watch.blocked_for(now), now - self._awake_since)

    def _look_at(self, run: Run, now: float, *, is_blocked: bool) -> None:
        attempt = run.attempt
        if attempt is None:
            # One whose arguments take too long to validate has begun: the reaper tells its limit.
            is_on_stage = self._stage.now[0] is run
            is_waiting = (is_blocked or self._is_over) and not is_on_stage
            if is_waiting and self._runs.tell_unbegun(run):
                self._write(unbegun(run))
        elif now >= _ends_by(run) + LOOPS_TIME:
            run.is_overdue = True
            self._tell(run, left_behind(run, attempt))
        elif self._is_over and is_blocked:
            run.is_overdue = True
            self._tell(run, holding(stopped(run, attempt)))

    def _tell(self, run: Run, finished: Finished) -> None:
        if self._runs.tell(run):
            self._write(finished)

    def _reason(self, now: float) -> str:
        """Say why the worker cannot go on; empty when it can."""
        if self._runs.stuck(STUCK_TIME) > self._max_stuck:
            return f"more than {self._max_stuck} handlers run on after their limit"
        run, since = self._stage.now
        if run is not None:
            is_hopeless = now >= max(
                run.limit_at + HOLDERS_TIME, max(since, self._awake_since) + BLOCKED_AFTER
            )
            return f"{_name(run)} holds the event loop after its limit" if is_hopeless else ""
        is_hopeless = (
            self._blocked_for(now) >= NOBODYS_TIME and now >= self._runs.last_limit + HOLDERS_TIME
        )
        return "a task that a handler left behind holds the event loop" if is_hopeless else ""


def _ends_by(run: Run) -> float:
    """Give when a run's handler has to have ended."""
    return run.limit_at if run.cancelled is None else min(run.limit_at, run.stop_by)


def _name(run: Run) -> str:
    return run.attempt.spec.name if run.attempt else "a call"
