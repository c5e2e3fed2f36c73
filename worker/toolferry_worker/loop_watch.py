"""The loop's watch: says which tool keeps the event loop from all the others."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
import traceback
from typing import Final

import structlog

log = structlog.get_logger(__name__)

#: Seconds between two signs of life of the loop.
BEAT_EVERY: Final = 0.25
#: Seconds without a sign of life after which the loop counts as blocked.
BLOCKED_AFTER: Final = 0.75


class LoopWatch:
    """Watches an event loop from a thread.

    Args:
        loop: The loop; its tasks are named after the tools that they run.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._seen = time.monotonic()
        self._told = False
        self._thread_id = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loop-watch", daemon=True)

    def start(self) -> None:
        """Begin to watch; to be called on the loop."""
        self._thread_id = threading.get_ident()
        self._beat()
        self._thread.start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopped.set()

    @property
    def is_blocked(self) -> bool:
        """Whether the loop does nothing for anybody at this moment."""
        return self.blocked_for(time.monotonic()) >= BLOCKED_AFTER

    def blocked_for(self, now: float) -> float:
        """Give the seconds since the loop's last sign of life; 0 before the first."""
        return now - self._seen if self._thread_id else 0.0

    def _beat(self) -> None:
        self._seen = time.monotonic()
        self._loop.call_later(BEAT_EVERY, self._beat)

    def _run(self) -> None:
        while not self._stopped.wait(BEAT_EVERY):
            late = time.monotonic() - self._seen
            if late < BLOCKED_AFTER:
                self._told = False
            elif not self._told:
                self._told = True
                self._tell(late)

    def _tell(self, late: float) -> None:
        task = asyncio.current_task(self._loop)
        name = task.get_name() if task else "?"
        log.warning("loop.blocked", tool=name, blocked_seconds=round(late, 2), at=self._place())

    def _place(self) -> str:
        """Give the line of code at which the loop's thread is."""
        frame = sys._current_frames().get(self._thread_id)  # noqa: SLF001 -- the documented way
        if frame is None:
            return "?"
        last = traceback.extract_stack(frame)[-1]
        return f"{last.filename}:{last.lineno} in {last.name}"
