"""The lifespans of a child of a process worker: opened before it takes its first call.

1. Celery hands no call to a child before it says that it is up, which it does after this.
2. It opens one lifespan after the other, in its main thread, where handlers run. One that raises is
   told and tried again after a pause.
3. One that hangs past its limit is interrupted by the parent's porter, with SIGALRM; a child that
   does not hear it, because it is in foreign code, is killed. The child in its place goes on with
   the same pauses.
4. When the worker stops, it closes them the other way round, also before it was ready.
"""

from __future__ import annotations

import os
import random
import signal
import time
from contextlib import AbstractContextManager
from types import FrameType
from typing import Any, Final

from toolferry import Lane, Lifespan, start_order
from toolferry_worker.openings import (
    CLOSE_LIMIT,
    NotClosed,
    NotUp,
    given,
    pause_after,
    tell_closed,
    tell_failed,
    tell_opened,
)
from toolferry_worker.readiness import Order, Readiness
from toolferry_worker.station import Station

#: Seconds between two looks at what the parent wants.
LOOK_EVERY: Final = 0.02


class _Interrupted(BaseException):
    """The parent wants an end of what the child is opening or closing; no `except Exception`."""


class ChildLifespans:
    """Opens and closes the lifespans of one child; its main thread calls.

    Args:
        station: Knows the lifespans, and gets what they provide.
        readiness: Where the child says how far it is.
        index: Its row there.
    """

    def __init__(self, station: Station, readiness: Readiness, index: int) -> None:
        self._station = station
        self._readiness = readiness
        self._place = readiness.place(index)
        self._before = readiness.row(index)
        self._open: list[tuple[int, Lifespan, AbstractContextManager[Any]]] = []
        self._can_interrupt = False
        self._place.enter(os.getpid())

    def open(self) -> None:
        """Open all; returns when they are up.

        Raises:
            SystemExit: The worker stops; what was open is closed.
        """
        signal.signal(signal.SIGALRM, self._interrupt)
        while self._readiness.wanted is Order.WAIT:
            time.sleep(LOOK_EVERY)
        lifespans = start_order(self._station.registry.lifespans, Lane.PROCESS)
        for number, lifespan in enumerate(lifespans):
            self._open_one(number, lifespan)
        self._place.ready()

    def close(self) -> None:
        """Close what is open, the last one first."""
        signal.signal(signal.SIGALRM, self._interrupt)  # a handler may have taken it
        while self._open:
            number, lifespan, manager = self._open.pop()
            self._place.close(number)
            tell_closed(lifespan, self._left(manager))
            self._place.idle()

    def _open_one(self, number: int, lifespan: Lifespan) -> None:
        failures = self._before.tries if self._before.lifespan == number else 0
        if failures:
            self._sleep(pause_after(failures, random.random()))  # noqa: S311 -- no secret
        while error := self._tried(number, lifespan, failures + 1):
            failures += 1
            pause = pause_after(failures, random.random())  # noqa: S311 -- no secret
            tell_failed(lifespan, error, failures, pause)
            self._sleep(pause)

    def _tried(self, number: int, lifespan: Lifespan, tries: int) -> BaseException | None:
        """Open one, and give what it raised."""
        self._leave_if_wanted()
        began = time.monotonic()
        self._place.open(number, tries)
        try:
            manager, value = self._entered(lifespan)
        except _Interrupted:
            self._leave_if_wanted()
            return NotUp(lifespan.start_limit)
        except BaseException as error:  # noqa: BLE001 -- a lifespan may raise anything; it is told
            return error
        finally:
            self._place.idle()
        self._open.append((number, lifespan, manager))
        self._station.provided[lifespan.provides] = value
        tell_opened(lifespan, time.monotonic() - began)
        return None

    def _entered(self, lifespan: Lifespan) -> tuple[AbstractContextManager[Any], Any]:
        try:
            self._can_interrupt = True
            manager = lifespan(**given(lifespan, self._station.provided))
            return manager, manager.__enter__()
        finally:
            self._can_interrupt = False

    def _left(self, manager: AbstractContextManager[Any]) -> BaseException | None:
        """Close one, and give what it raised."""
        try:
            self._can_interrupt = True
            manager.__exit__(None, None, None)
        except _Interrupted:
            return NotClosed(CLOSE_LIMIT)
        except BaseException as error:  # noqa: BLE001 -- a lifespan may raise anything; it is told
            return error
        finally:
            self._can_interrupt = False
        return None

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._can_interrupt:
            self._can_interrupt = False
            raise _Interrupted

    def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._leave_if_wanted()
            time.sleep(min(left, LOOK_EVERY))

    def _leave_if_wanted(self) -> None:
        if self._readiness.wanted is Order.CLOSE:
            self.close()
            raise SystemExit(0)
