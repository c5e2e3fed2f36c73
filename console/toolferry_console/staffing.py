"""Staffing: sees to it that there are workers for a turn, and brings some where nobody else would.

With a configured server the workers are the business of those who run it. On the embedded one they
are those of `toolferry up`, and when that does not run, workers of our own for as long as we wait.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from toolferry import Lane, LedgerUnavailable
from toolferry_console.local import local_workers
from toolferry_console.signals import terminate_as_interrupt
from toolferry_console.workers import Workers
from toolferry_dispatcher import TurnHandle
from toolferry_ledger import Ledger

#: Seconds between two looks at who works: workers of others may end while we wait.
_LOOK_EVERY: Final = 1.0


@contextmanager
def staffed(handle: TurnHandle, ledger: Ledger, tools: str) -> Iterator[Callable[[], None]]:
    """Keep a turn served while the block runs.

    Args:
        handle: The turn.
        ledger: Its records.
        tools: The modules that workers of our own get.

    Yields:
        A function to call again and again: it brings the workers that are missing, and raises
        `WorkersFailed` when they do not stay up.
    """
    if os.environ.get("TOOLFERRY_URL"):
        yield lambda: None
        return
    with terminate_as_interrupt(), ExitStack() as brought:
        yield _Staffing(handle, ledger, tools, brought).check


class _Staffing:
    """Looks now and then whether each lane that is needed is served."""

    def __init__(self, handle: TurnHandle, ledger: Ledger, tools: str, brought: ExitStack) -> None:
        self._handle = handle
        self._ledger = ledger
        self._tools = tools
        self._brought = brought
        self._own: dict[Lane, Workers] = {}
        self._look_at = 0.0

    def check(self) -> None:
        for workers in self._own.values():
            workers.check()
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + _LOOK_EVERY
            for lane in sorted(self._unserved()):
                worker = local_workers(self._ledger.settings, self._tools, lanes=[lane])
                self._own[lane] = self._brought.enter_context(worker)

    def _unserved(self) -> set[Lane]:
        wanted = self._handle.watch.open_pools
        # While the server is away nobody knows; the next look may tell.
        with suppress(LedgerUnavailable):
            unserved = wanted - self._ledger.served() if wanted else set()
            return {pool.lane for pool in unserved} - self._own.keys()
        return set()
