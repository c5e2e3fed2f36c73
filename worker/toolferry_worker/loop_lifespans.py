"""The lifespans of an async worker: opened before it takes its first notice, closed after its last.

1. Celery's main thread opens them, each after those that it needs, and waits. What is up stays up
   while a later one is tried again.
2. The worker's lease begins when all are up: until then nobody counts on it.
3. They close the other way round, when the last end was written. One that raises or hangs is told;
   the next one's turn comes all the same.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from concurrent.futures import wait
from typing import Final

from toolferry import Lane, Lifespan, start_order
from toolferry_worker.keepers import Keeper, TaskKeeper, ThreadKeeper
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
from toolferry_worker.station import Station

#: Seconds between two looks whether the worker is to stop.
LOOK_EVERY: Final = 0.05
#: Starts of one process that may hang in threads, which nobody can stop; no more are begun then.
MAX_HANGING: Final = 8


class LoopLifespans:
    """Opens and closes the lifespans of one async worker; its main thread calls.

    Args:
        station: Knows the lifespans, and gets what they provide.
        loop: The event loop of the handlers; another thread runs it.
        pause: Gives the seconds before another try; see `pause_after`.
    """

    def __init__(
        self,
        station: Station,
        loop: asyncio.AbstractEventLoop,
        pause: Callable[[int, float], float] = pause_after,
    ) -> None:
        self._station = station
        self._loop = loop
        self._pause = pause
        self._open: list[tuple[Lifespan, Keeper]] = []
        self._given_up: list[Keeper] = []

    def open(self, is_stopping: Callable[[], bool]) -> bool:
        """Open all; returns when they are up, or False when the worker is to stop before that."""
        lifespans = start_order(self._station.registry.lifespans, Lane.ASYNC)
        return all(self._open_one(one, is_stopping) for one in lifespans)

    def close(self) -> None:
        """Close what is open, the last one first."""
        while self._open:
            lifespan, keeper = self._open.pop()
            keeper.close()
            tell_closed(lifespan, _error_of_close(keeper))

    def _open_one(self, lifespan: Lifespan, is_stopping: Callable[[], bool]) -> bool:
        failures = 0
        while not is_stopping():
            error = self._try(lifespan, is_stopping)
            if error is None:
                return True
            if not is_stopping():
                failures += 1
                pause = self._pause(failures, random.random())  # noqa: S311 -- no secret
                tell_failed(lifespan, error, failures, pause)
                _sleep(pause, is_stopping)
        return False

    def _try(self, lifespan: Lifespan, is_stopping: Callable[[], bool]) -> BaseException | None:
        self._given_up = [keeper for keeper in self._given_up if not keeper.ended.done()]
        if len(self._given_up) >= MAX_HANGING:
            return RuntimeError(f"{MAX_HANGING} starts hang already")
        began = time.monotonic()
        keeper = self._keeper(lifespan)
        until = began + lifespan.start_limit
        while not keeper.value.done() and time.monotonic() < until and not is_stopping():
            wait([keeper.value], LOOK_EVERY)
        if not keeper.value.done():
            self._given_up.append(keeper)
            keeper.give_up()
            return NotUp(lifespan.start_limit)
        error = keeper.value.exception()
        if error is None:
            self._open.append((lifespan, keeper))
            self._station.provided[lifespan.provides] = keeper.value.result()
            tell_opened(lifespan, time.monotonic() - began)
        return error

    def _keeper(self, lifespan: Lifespan) -> Keeper:
        arguments = given(lifespan, self._station.provided)
        if lifespan.is_async:
            return TaskKeeper(lifespan.name, lambda: lifespan(**arguments), self._loop)
        return ThreadKeeper(lifespan.name, lambda: lifespan(**arguments))


def _error_of_close(keeper: Keeper) -> BaseException | None:
    """Wait until a lifespan has closed, and give what it raised meanwhile."""
    if wait([keeper.ended], CLOSE_LIMIT).done:
        return keeper.ended.exception()
    keeper.give_up()
    return NotClosed(CLOSE_LIMIT)


def _sleep(seconds: float, is_stopping: Callable[[], bool]) -> None:
    until = time.monotonic() + seconds
    while not is_stopping() and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, LOOK_EVERY))
