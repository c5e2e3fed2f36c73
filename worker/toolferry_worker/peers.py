"""The peers: whether another worker can run a call that this one cannot.

Asked where nothing may block, on the loop of an async worker. A thread reads the catalog, once a
second for as long as somebody asks; a worker that knows all tools it is asked for has none.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import Final, Protocol

from toolferry import LedgerUnavailable
from toolferry_ledger import Catalog, Pool

#: Seconds between two readings.
READ_EVERY: Final = 1.0
#: Seconds for which what was read counts: a reading may be late by as much as it takes.
FRESH: Final = 2.0
#: Seconds for which the catalog is read after it was last asked for: longer than it takes until a
#: call that was passed on comes back.
WANTED_FOR: Final = 10.0


class Peers(Protocol):
    """The other workers of a system."""

    def may_run(self, pool: Pool, digest: str) -> bool:
        """Tell whether one of them in this pool can run this digest, or nobody knows that yet."""


class Nobody:
    """The peers of a worker that is alone."""

    def may_run(self, pool: Pool, digest: str) -> bool:
        """Say no."""
        return False


#: Has no state, so one is enough.
NOBODY: Final = Nobody()


class LivePeers:
    """The peers as the catalog has them. Thread-safe; may be made before a fork.

    Args:
        catalog: Where the workers tell what they offer.
        owner: This worker, which is none of its peers.
    """

    def __init__(self, catalog: Catalog, owner: str) -> None:
        self._catalog = catalog
        self._owner = owner
        self._runnable: frozenset[tuple[Pool, str]] = frozenset()
        self._read_at = -FRESH
        self._wanted_until = 0.0
        self._lock = threading.Lock()
        self._is_reading = False

    def may_run(self, pool: Pool, digest: str) -> bool:
        """Tell whether a live or declared worker can run this, or nobody knows yet; at once."""
        self._want()
        with self._lock:
            is_known = time.monotonic() - self._read_at < FRESH
            return not is_known or (pool, digest) in self._runnable

    def _want(self) -> None:
        with self._lock:
            self._wanted_until = time.monotonic() + WANTED_FOR
            if self._is_reading:
                return
            self._is_reading = True
        threading.Thread(target=self._keep_reading, name="peers", daemon=True).start()

    def _keep_reading(self) -> None:
        while self._is_wanted():
            with suppress(LedgerUnavailable):  # the lease tells of it
                self._read()
            time.sleep(READ_EVERY)

    def _is_wanted(self) -> bool:
        with self._lock:
            self._is_reading = time.monotonic() < self._wanted_until
            return self._is_reading

    def _read(self) -> None:
        asked_at = time.monotonic()
        runnable = self._catalog.read().but_of(self._owner).runnable()
        with self._lock:
            self._runnable, self._read_at = runnable, asked_at
