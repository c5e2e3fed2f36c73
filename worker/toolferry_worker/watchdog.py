"""The watchdog of a process worker: no handler outlives its limit, whatever happens around it.

It is a thread of the parent and reads the board; the broker, the server and Celery's event loop may
be away, frozen or late. Celery's own limits are not used: they start when the message reaches the
child, not when the handler begins, they fire only while Celery's event loop runs, and, late, they
would kill a child that has finished and waits for the server to write its result down.

1. At its limit a handler is asked to stop: SIGUSR1 raises `SoftTimeLimitExceeded` in it.
2. Half a second later it is killed with all that it has started, and the parent writes down that
   the attempt timed out.
3. A child that has died over an attempt is noticed at the next look. Celery notices too, but only
   when its event loop comes to it, which was seen to take seconds.

Whatever it does to a child, it does while the child cannot go on to another attempt; see `board`.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import structlog

from toolferry_worker.board import Board, Row, call_number
from toolferry_worker.descendants import kill_with_descendants

log = structlog.get_logger(__name__)

#: Seconds between a tool's limit, when it is asked to stop, and its end by force.
HARD_LIMIT_GRACE: Final = 0.5
#: Seconds between two looks; a limit is kept to about this.
LOOK_EVERY: Final = 0.05


class Watchdog:
    """Enforces the limits of all children.

    Args:
        board: What the children do.
        on_killed: Told of each attempt that was ended by force because of its limit.
        on_lost: Told of each attempt whose child has died.
        on_retry: Told of each retry that a child has scheduled: in how many seconds it is due.
    """

    def __init__(
        self,
        board: Board,
        *,
        on_killed: Callable[[Row], None],
        on_lost: Callable[[Row], None],
        on_retry: Callable[[float], None],
    ) -> None:
        self._board = board
        self._on_killed = on_killed
        self._on_lost = on_lost
        self._on_retry = on_retry
        self._asked: dict[int, tuple[int, int]] = {}
        self._retries: dict[int, float] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_EVERY):
            for row in self._board.rows():
                self.look(row, time.monotonic())

    def look(self, row: Row, now: float) -> None:
        """Do for one child what is to be done at this moment.

        Args:
            row: What the child does.
            now: This machine's monotonic clock, in seconds.
        """
        if row.retry_due != self._retries.get(row.index, 0.0):
            self._retries[row.index] = row.retry_due
            self._on_retry(max(0.0, row.retry_due - now))
        if row.fence and has_ended(row.pid):
            self._bury(row)
        elif row.started:
            self._limit(row, now - row.started - row.limit)

    def ask_attempt(self, call_key: str, fence: int) -> bool:
        """Ask the handler that works on an attempt to stop, if one still does; any thread may.

        Returns:
            Whether it was asked. If not, it has ended or not begun.
        """
        return any(row.started and self._ask(row) for row in self._rows(call_key, fence))

    def end_attempt(self, call_key: str, fence: int, then: Callable[[], None]) -> bool:
        """Kill the child whose handler works on an attempt, if one still does; any thread may.

        Args:
            call_key: The call.
            fence: The attempt's.
            then: Called at once when it was killed, to have its end written.

        Returns:
            Whether it was killed. If not, its handler has ended or not begun.
        """
        rows = self._rows(call_key, fence)
        return any(row.started and self._kill(row, lambda _: then()) for row in rows)

    def _rows(self, call_key: str, fence: int) -> list[Row]:
        wanted = (call_number(call_key), fence)
        return [row for row in self._board.rows() if (row.call, row.fence) == wanted]

    def _limit(self, row: Row, over: float) -> None:
        """Do what is to be done `over` seconds after a handler's limit."""
        if over >= HARD_LIMIT_GRACE:
            if self._kill(row, self._on_killed):
                log.warning("attempt.killed", fence=row.fence, pid=row.pid, limit_seconds=row.limit)
        elif over >= 0 and self._asked.get(row.index) != (row.call, row.fence):
            self._ask(row)

    def _ask(self, row: Row) -> bool:
        with self._board.held(row) as is_same, suppress(ProcessLookupError):
            if is_same:
                self._asked[row.index] = (row.call, row.fence)
                os.kill(row.pid, signal.SIGUSR1)
        return is_same

    def _bury(self, row: Row) -> None:
        # Its place may have been taken in this very moment.
        with self._board.held(row) as is_same:
            if is_same:
                kill_group(row.pid)
                self._board.clear(row)
                self._on_lost(row)

    def _kill(self, row: Row, then: Callable[[Row], None]) -> bool:
        # It may have ended in this very moment, and the child may be at its next attempt.
        with self._board.held(row) as is_same:
            if is_same:
                kill_group(row.pid)
                self._board.clear(row)
                then(row)
        return is_same


def kill_group(pid: int) -> None:
    """Kill a child with all that it has started; harmless when it has gone already."""
    kill_with_descendants(pid)


def has_ended(pid: int) -> bool:
    """Tell whether a child has ended, without reaping it."""
    try:
        seen = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return seen is not None
