"""The slots of an async worker: how many calls it may still take."""

from __future__ import annotations

import threading


class Slots:
    """A count of free slots that threads can wait for.

    Args:
        size: How many there are in all, 1 or more.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._busy = 0
        self._changed = threading.Condition()

    @property
    def busy(self) -> int:
        """How many are taken."""
        return self._busy

    def wait_free(self, patience: float) -> int:
        """Wait until a slot is free and give how many are; 0 after `patience` seconds."""
        # Whoever waits for slots is the only one who takes them: what is free now stays free.
        free = self.size - self._busy
        if free > 0:
            return free
        with self._changed:
            self._changed.wait_for(lambda: self._busy < self.size, patience)
            return self.size - self._busy

    def take(self, count: int) -> None:
        """Take slots that were seen to be free; only one thread takes."""
        with self._changed:
            self._busy += count

    def give(self) -> None:
        """Give one back; any thread may."""
        with self._changed:
            self._busy -= 1
            self._changed.notify_all()
