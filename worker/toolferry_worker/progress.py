"""Progress: what handlers report of their calls, brought to the ledger now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from toolferry import LedgerUnavailable
from toolferry_ledger import Claim, Ledger

#: Seconds between two rounds: watchers cannot read faster, handlers may report as often as they
#: like.
REPORT_EVERY: Final = 0.25

#: How far a call is: the part that is done, and a sentence.
_Report = tuple[float | None, str | None]


class Reports(Protocol):
    """Who takes the reports of handlers."""

    def for_call(self, claim: Claim) -> Callable[[float | None, str | None], None]:
        """Give the function with which a handler reports on its call."""


class Reporter:
    """Writes the newest report of each call; best effort, and never in a handler's way.

    Its thread starts with the first report, so that a worker whose tools report nothing has none.

    Args:
        ledger: Where to.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._newest: dict[tuple[str, int], _Report] = {}
        self._lock = threading.Lock()
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None

    def for_call(self, claim: Claim) -> Callable[[float | None, str | None], None]:
        """Give the function with which a handler reports on its call; any thread may use it."""
        identity = (claim.call_key, claim.fence)

        def report(fraction: float | None, message: str | None) -> None:
            with self._lock:
                self._newest[identity] = (fraction, message)
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="progress", daemon=True)
                    self._thread.start()
            self._wanted.set()

        return report

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            self.flush()
            time.sleep(REPORT_EVERY)

    def flush(self) -> None:
        """Write what was reported since the last time."""
        with self._lock:
            reports, self._newest = self._newest, {}
        for (call_key, fence), (fraction, message) in reports.items():
            with suppress(LedgerUnavailable):
                self._ledger.progress(call_key, fence, fraction, message)
