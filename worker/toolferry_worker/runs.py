"""The runs of an async worker: every claimed call until its handler has really ended.

The event loop keeps their limits. When it cannot, a thread does, see `sentry`; so whoever is
first to tell the end of a run is the only one.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from toolferry_ledger import Claim
from toolferry_worker.attempt import Attempt


@dataclass(eq=False, slots=True)
class Run:
    """One claimed call. Times are this machine's monotonic clock, in seconds."""

    claim: Claim
    began: float = field(default_factory=time.monotonic)
    #: None until the event loop has come to it.
    attempt: Attempt | None = None
    #: Its task, which may not have begun.
    made: asyncio.Task[None] | None = None
    #: The same; None until its handler is about to be called: a task that is cancelled earlier
    #: never begins.
    task: asyncio.Task[None] | None = None
    #: Whether its limit has passed.
    is_overdue: bool = False
    #: Why its call was cancelled; None when it was not.
    cancelled: str | None = None
    #: When the grace ends that its handler then has.
    stop_by: float = 0.0
    #: Whether its handler is about to be called, or was.
    has_begun: bool = False
    #: When its end was told, see `Runs.tell`; 0 before.
    told_at: float = 0.0

    @property
    def is_told(self) -> bool:
        """Whether its end was told already."""
        return self.told_at > 0

    @property
    def limit_at(self) -> float:
        """When its limit passes."""
        return self.began + self.claim.limit


class Runs:
    """All runs of one worker; any thread may use it."""

    def __init__(self) -> None:
        self._all: set[Run] = set()
        self._changed = threading.Condition()

    def add(self, runs: Iterable[Run]) -> None:
        """Take calls in that were just claimed."""
        with self._changed:
            self._all.update(runs)

    def remove(self, run: Run) -> None:
        """Let a run go: its handler has ended."""
        with self._changed:
            self._all.discard(run)
            self._changed.notify_all()

    def tell(self, run: Run) -> bool:
        """Take it on to tell the end of a run: True for the first who asks, and for nobody else."""
        with self._changed:
            is_first = not run.is_told
            if is_first:
                run.told_at = time.monotonic()
            self._changed.notify_all()
            return is_first

    def begin(self, run: Run) -> bool:
        """Take it on to call the handler of a run; False when its end was told already."""
        with self._changed:
            run.has_begun = not run.is_told
            return run.has_begun

    def tell_unbegun(self, run: Run) -> bool:
        """Take it on to tell that a run never began; False when it has, or its end was told."""
        with self._changed:
            return not run.has_begun and self.tell(run)

    def __contains__(self, run: Run) -> bool:
        with self._changed:
            return run in self._all

    def untold(self) -> list[Run]:
        """Give those whose end nobody has told."""
        with self._changed:
            return [run for run in self._all if not run.is_told]

    def cancel(self, call_key: str, fence: int, reason: str, grace: float) -> Run | None:
        """Mark a run as cancelled, once; None when it is not here, was told, or was marked before.

        Args:
            call_key: Its call.
            fence: Its attempt's.
            reason: Why.
            grace: Seconds that its handler has to end.
        """
        for run in self.untold():
            is_meant = (run.claim.call_key, run.claim.fence) == (call_key, fence)
            if is_meant and run.cancelled is None:
                run.stop_by = time.monotonic() + grace
                run.cancelled = reason
                return run
        return None

    def stuck(self, patience: float) -> int:
        """Count the handlers that run on although their call's end was told.

        Args:
            patience: For how many seconds at the least.
        """
        until = time.monotonic() - patience
        with self._changed:
            return sum(0 < run.told_at <= until for run in self._all)

    @property
    def last_limit(self) -> float:
        """When the last limit of all that run passes; 0 when none runs."""
        with self._changed:
            return max((run.limit_at for run in self._all), default=0.0)

    def wait_told(self, patience: float) -> bool:
        """Wait until the end of every run was told; False after `patience` seconds.

        What is stuck is not waited for: it may never end.
        """
        with self._changed:
            return self._changed.wait_for(self._all_told, patience)

    def _all_told(self) -> bool:
        return all(run.is_told for run in self._all)
