"""The porter of a process worker: no child opens or closes its lifespans for longer than it may.

It is a thread of the parent and reads what the children say of their readiness.

1. Children begin to open when Celery's event loop runs: from then on one that dies is replaced.
2. The worker counts as there, with a lease, when the first child is ready.
3. What is over its limit is interrupted; half a second later the child is killed.
4. When the worker stops, what still opens is interrupted at once.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from billiard.process import current_process
from celery.signals import worker_process_shutdown, worker_ready
from celery.worker.consumer import Consumer

from toolferry import Lane, start_order
from toolferry_worker.child_lifespans import ChildLifespans
from toolferry_worker.openings import CLOSE_LIMIT, NotClosed, NotUp, tell_closed, tell_failed
from toolferry_worker.persistence import until_answered
from toolferry_worker.readiness import Order, Phase, Readiness, Row
from toolferry_worker.station import Station
from toolferry_worker.stopping import is_stopping
from toolferry_worker.watchdog import has_ended, kill_group

#: Seconds between two looks.
LOOK_EVERY: Final = 0.05
#: Seconds between an interruption and the end by force.
KILL_GRACE: Final = 0.5


class Porter:
    """Looks after the readiness of all children. Made before they are forked.

    Args:
        station: Knows the lifespans.
        size: How many children there can be.
    """

    def __init__(self, station: Station, size: int) -> None:
        self._station = station
        self._lifespans = start_order(station.registry.lifespans, Lane.PROCESS)
        self._readiness = Readiness(size)
        self._asked: dict[int, tuple[Row, float]] = {}
        self._is_serving = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="porter", daemon=True)

    @property
    def room(self) -> Callable[[], int] | None:
        """How to count the children that can take a call; None when they all always can."""
        return self._readiness.ready if self._lifespans else None

    def start(self, serve: Callable[[], None]) -> None:
        """Have `serve` called once a child is ready: now, if they have nothing to open."""
        if not self._lifespans:
            until_answered(serve, is_stopping)
            return
        self._serve = serve
        worker_ready.connect(self._begin, weak=False)
        self._thread.start()

    def enter_child(self) -> None:
        """Open what handlers share in this process, a child; returns when it is up.

        Raises:
            SystemExit: The worker stops.
        """
        if self._lifespans:
            # Set by billiard's pool; a child that replaces another has the same.
            index: int = getattr(current_process(), "index")  # noqa: B009 -- unknown to its stubs
            lifespans = ChildLifespans(self._station, self._readiness, index)
            worker_process_shutdown.connect(lambda **_: lifespans.close(), weak=False)
            lifespans.open()

    def close(self) -> None:
        """Have the children end that are not ready; the others close at their own end."""
        self._readiness.order(Order.CLOSE)

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _begin(self, sender: Consumer, **_: Any) -> None:
        # Right after this, Celery checks that no child has died yet.
        sender.timer.call_after(0.0, self._let_open)

    def _let_open(self) -> None:
        if self._readiness.wanted is Order.WAIT:
            self._readiness.order(Order.OPEN)

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_EVERY):
            if is_stopping():  # a cold stop waits for the children before it tells anybody
                self.close()
            elif not self._is_serving and self._readiness.ready():
                until_answered(self._serve, self._stopped.is_set)
                self._is_serving = True
            for row in self._readiness.rows():
                self.look(row, time.monotonic())

    def look(self, row: Row, now: float) -> None:
        """Do for one child what is to be done at this moment.

        Args:
            row: How far the child is.
            now: This machine's monotonic clock, in seconds.
        """
        if row.since and now - row.since >= self._limit(row):
            asked, at = self._asked.get(row.index, (None, now))
            if asked != row:
                self._ask(row, now)
            elif now - at >= KILL_GRACE:
                self._end(row)

    def _limit(self, row: Row) -> float:
        if row.phase is Phase.CLOSING:
            return CLOSE_LIMIT
        closes = self._readiness.wanted is Order.CLOSE
        return 0.0 if closes else self._lifespans[row.lifespan].start_limit

    def _ask(self, row: Row, now: float) -> None:
        self._asked[row.index] = (row, now)
        with suppress(ProcessLookupError):
            os.kill(row.pid, signal.SIGALRM)

    def _end(self, row: Row) -> None:
        # It may have come up in this very moment, or have died of itself.
        if self._readiness.row(row.index) != row or has_ended(row.pid):
            return
        self._readiness.forget(row)
        kill_group(row.pid)
        lifespan = self._lifespans[row.lifespan]
        if row.phase is Phase.CLOSING:
            tell_closed(lifespan, NotClosed(CLOSE_LIMIT))
        else:
            tell_failed(lifespan, NotUp(lifespan.start_limit), row.tries)
