"""Strays: notices that Celery's pool handed to a child which died before it took them.

Celery writes a message into the pipe of a child, and may not know at that moment that the child has
just been killed. Now and then it then waits for it for ever (seen once in some hundred kills, on a
busy machine): the ledger makes up for the notice, but its place in the worker stays taken, and a
worker of one child would take nothing any more.

So the parent looks: a notice that was taken from the broker, that no child works on, and that waits
although a child is idle, is a stray. The worker then replaces itself, since Celery's books cannot
be put right from outside.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from celery.worker import state

from toolferry_worker.board import Board

#: Seconds between two looks.
LOOK_EVERY: Final = 1.0
#: Seconds for which a notice may wait while a child is idle; it takes milliseconds.
STRAY_AFTER: Final = 15.0


class Strays:
    """Looks for strays in a thread.

    Args:
        board: What the children do.
        ready: Counts the children that can take a call; None when they all always can.
        replace: Has the worker replaced; gets the reason.
    """

    def __init__(
        self, board: Board, ready: Callable[[], int] | None, replace: Callable[[str], None]
    ) -> None:
        self._board = board
        self._ready = ready
        self._replace = replace
        self._waiting_since: dict[int, float] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="strays", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(LOOK_EVERY):
            fences = [request.notice[1] for request in list(state.reserved_requests)]
            if self.look(fences, time.monotonic()):
                self._stopped.set()
                self._replace("Celery waits for a child that died before it took its call")

    def look(self, fences: list[int], now: float) -> bool:
        """Tell whether there is a stray.

        Args:
            fences: Of the notices that the worker has taken from the broker.
            now: This machine's monotonic clock, in seconds.
        """
        rows = self._board.rows()
        busy = [row.fence for row in rows if row.fence]
        is_idle = len(busy) < (self._ready() if self._ready else len(rows))
        waiting = [fence for fence in fences if is_idle and fence not in busy]
        self._waiting_since = {fence: self._waiting_since.get(fence, now) for fence in waiting}
        return any(now - since > STRAY_AFTER for since in self._waiting_since.values())
