"""The stopper of a process worker: ends the attempts of calls that were cancelled.

A child is asked as at its limit: SIGUSR1 raises in its handler. When that handler still works on
the same attempt after the grace, the child is killed with all that it has started. The watchdog
does both, and holds the child's row meanwhile, so that no other attempt is ever hit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final

import structlog

from toolferry_worker.orders import CANCEL_GRACE, Order
from toolferry_worker.watchdog import Watchdog

log = structlog.get_logger(__name__)

#: Seconds between two looks whether an order has come, when nothing else is to be done.
LOOK_EVERY: Final = 60.0


class Stopper:
    """Stops attempts of the children, in a thread of its own: it must not wait for the server.

    Args:
        watchdog: Asks and ends.
        on_ended: Told of each attempt that was ended by force, to have its end written.
    """

    def __init__(self, watchdog: Watchdog, on_ended: Callable[[str, int], None]) -> None:
        self._watchdog = watchdog
        self._on_ended = on_ended
        self._orders: SimpleQueue[Order | None] = SimpleQueue()
        #: When each attempt that was asked is to be ended, in seconds of the monotonic clock.
        self._due: dict[tuple[str, int], float] = {}
        self._thread = threading.Thread(target=self._run, name="stopper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def put(self, order: Order) -> None:
        """Have an attempt stopped; returns at once."""
        self._orders.put(order)

    def stop(self) -> None:
        """Stop no more attempts."""
        self._orders.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                order = self._orders.get(timeout=self._patience())
            except Empty:
                self._end_due()
                continue
            if order is None:
                return
            self._ask(order.call_key, order.fence)

    def _patience(self) -> float:
        due = min(self._due.values(), default=time.monotonic() + LOOK_EVERY)
        return max(0.0, due - time.monotonic())

    def _ask(self, call_key: str, fence: int) -> None:
        """Ask once. A handler that has not begun yet is asked when the order is repeated."""
        if (call_key, fence) not in self._due and self._watchdog.ask_attempt(call_key, fence):
            self._due[call_key, fence] = time.monotonic() + CANCEL_GRACE

    def _end_due(self) -> None:
        now = time.monotonic()
        for attempt in [attempt for attempt, due in self._due.items() if due <= now]:
            del self._due[attempt]
            if self._watchdog.end_attempt(*attempt, partial(self._on_ended, *attempt)):
                log.warning("attempt.killed", call_key=attempt[0], grace_seconds=CANCEL_GRACE)
