"""The reaper's thread: every worker helps to bring on the calls that nobody else brings on."""

from __future__ import annotations

import heapq
import threading
import time
from typing import Final

from toolferry import LedgerUnavailable
from toolferry_ledger import SWEEP_EVERY, Reaper
from toolferry_worker.persistence import unavailable

#: Seconds after its due time at which a retry is looked for: the server counts whole milliseconds.
_ROUNDING: Final = 0.002
#: Seconds before another try when the server did not answer.
_PAUSE: Final = 1.0


class ReaperThread:
    """Runs a reaper as often as it asks for, and at the due time of each retry that it is told of.

    Args:
        reaper: Does a round and says when the next is wanted.
    """

    def __init__(self, reaper: Reaper) -> None:
        self._reaper = reaper
        self._due: list[float] = []
        self._changed = threading.Condition()
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="reaper", daemon=True)

    def start(self) -> None:
        """Begin with the rounds."""
        self._thread.start()

    def expect(self, delay: float) -> None:
        """Have a round when a retry that was just scheduled is due; any thread may.

        Args:
            delay: Seconds from now, 0 or more.
        """
        due = time.monotonic() + delay + _ROUNDING
        with self._changed:
            if not self._due or due < self._due[0]:
                self._changed.notify()
            heapq.heappush(self._due, due)

    def stop(self) -> None:
        """Do no more rounds; does not wait for one that is under way."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def _run(self) -> None:
        while not self._stopped:
            self._wait(time.monotonic() + self._round())

    def _round(self) -> float:
        try:
            return self._reaper.tick()
        except LedgerUnavailable as error:
            unavailable.tell(error=str(error))
            return _PAUSE

    def _wait(self, until: float) -> None:
        """Wait for the next round: until then, or until the first retry is due."""
        with self._changed:
            while not self._stopped:
                now = time.monotonic()
                wake = min([until, *self._due[:1]])
                if wake <= now:
                    break
                self._changed.wait(min(wake - now, SWEEP_EVERY))
            while self._due and self._due[0] <= time.monotonic():
                heapq.heappop(self._due)
