"""Threads for functions of an application that nobody can stop.

A pool of the standard library waits at the end of the process for what hangs, and is full for ever
once enough of it does. These threads are daemons, and one that hangs is written off: another takes
its place, up to a limit that is the machine's protection.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

#: Threads that work at once.
SIZE: Final = 64
#: Threads that may hang besides; with more, nothing is run any more.
MAX_HANGING: Final = 256


class Job:
    """Something to be done by a spare thread.

    Args:
        work: Does it; catches whatever is raised.
    """

    __slots__ = ("has_begun", "has_ended", "is_written_off", "work")

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.has_begun = False
        self.has_ended = False
        self.is_written_off = False


class SpareThreads:
    """Runs jobs in the order in which they come. Any thread may use it."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._idle = 0
        self._working = 0
        self._hanging = 0
        self._is_closed = False

    def run(self, job: Job) -> bool:
        """Have a job done, soon; False when too many hang, or all is closed."""
        with self._changed:
            if self._is_closed or self._hanging >= MAX_HANGING:
                return False
            self._jobs.append(job)
            if self._idle >= len(self._jobs):
                self._changed.notify()
            elif self._working < SIZE:
                self._working += 1
                threading.Thread(target=self._live, name="toolferry-asking", daemon=True).start()
        return True

    def write_off(self, job: Job) -> None:
        """Wait no longer for a job: its thread is replaced; one that has not begun never does."""
        with self._changed:
            if job.has_ended or job.is_written_off:
                return
            job.is_written_off = True
            if job.has_begun:
                self._hanging += 1
                self._working -= 1
                self._replace()

    def close(self) -> None:
        """Let the threads end that have nothing to do."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _replace(self) -> None:
        if self._jobs and not self._is_closed:
            self._working += 1
            threading.Thread(target=self._live, name="toolferry-asking", daemon=True).start()

    def _live(self) -> None:
        while (job := self._next()) is not None:
            job.work()
            if self._end(job):
                return

    def _next(self) -> Job | None:
        with self._changed:
            while True:
                while self._jobs:
                    job = self._jobs.popleft()
                    if not job.is_written_off:
                        job.has_begun = True
                        return job
                if self._is_closed:
                    self._working -= 1
                    return None
                self._idle += 1
                self._changed.wait()
                self._idle -= 1

    def _end(self, job: Job) -> bool:
        """Note that a job is done; tells whether its thread was replaced meanwhile."""
        with self._changed:
            job.has_ended = True
            if job.is_written_off:
                self._hanging -= 1
            return job.is_written_off
