"""The lookout: how a dispatcher learns what workers offer, beside its turns and never in their way.

* A dispatcher with tools of its own compares them with the catalog at its first dispatch, and once
  a minute while it dispatches. Each difference is told once; nothing is raised.
* A dispatcher without takes its tools from the catalog, every 2 s.
"""

from __future__ import annotations

import threading
import time
from typing import Final, Protocol

from toolferry import LedgerUnavailable, Registry
from toolferry_dispatcher.live import LiveRegistry
from toolferry_ledger import (
    Catalog,
    Mismatch,
    find_mismatches,
    find_unserved,
    get_log,
    tell_mismatches,
)

log = get_log(__name__)

#: Seconds between two comparisons of a dispatcher that dispatches.
COMPARE_EVERY: Final = 60.0
#: Seconds between two readings of a dispatcher that takes its tools from the catalog.
REFRESH_EVERY: Final = 2.0
#: Seconds that closing waits for a reading that is under way.
CLOSE_PATIENCE: Final = 1.0


class Lookout(Protocol):
    """What a dispatcher asks about the workers' tools. Thread-safe."""

    def check(self) -> list[Mismatch]:
        """Read the catalog now and give every difference; those not told yet are logged.

        Raises:
            LedgerUnavailable: The server does not answer.
        """

    def note_dispatch(self) -> None:
        """Take note that a turn was dispatched; returns at once."""

    def close(self) -> None:
        """Look no more."""


def lookout_for(registry: Registry, catalog: Catalog) -> Lookout:
    """Give the lookout that fits a registry."""
    if isinstance(registry, LiveRegistry):
        return Refresher(registry, catalog)
    return Comparer(registry, catalog)


class Comparer:
    """Compares tools of one's own with what workers offer.

    Args:
        registry: The dispatcher's own tools.
        catalog: What the workers offer.
    """

    def __init__(self, registry: Registry, catalog: Catalog) -> None:
        self._registry = registry
        self._catalog = catalog
        self._telling = _Telling()
        self._lock = threading.Lock()
        self._next_at = float("-inf")
        self._thread: threading.Thread | None = None

    def check(self) -> list[Mismatch]:
        """Compare now."""
        offers = self._catalog.read()
        own = tuple(self._registry)
        found = find_mismatches(own, offers) + find_unserved(own, offers)
        self._telling.tell(found)
        return found

    def note_dispatch(self) -> None:
        """Compare in a thread of its own, if that was not done within the last minute."""
        now = time.monotonic()
        with self._lock:
            if now < self._next_at:
                return
            self._next_at = now + COMPARE_EVERY
            self._thread = threading.Thread(
                target=_look_quietly, args=(self,), name="toolferry-catalog", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """Wait for a comparison that is under way."""
        with self._lock:
            self._next_at = float("inf")
        if self._thread is not None:
            self._thread.join(CLOSE_PATIENCE)


class Refresher:
    """Keeps a live registry as the catalog is, from a thread of its own.

    Args:
        registry: What to keep.
        catalog: What the workers offer.
    """

    def __init__(self, registry: LiveRegistry, catalog: Catalog) -> None:
        self._registry = registry
        self._catalog = catalog
        self._telling = _Telling()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="toolferry-catalog", daemon=True)
        self._thread.start()

    def check(self) -> list[Mismatch]:
        """Take the tools over now; gives what live workers know otherwise than it is offered."""
        offers = self._catalog.read()
        self._registry.update(offers.tools(), time.monotonic())
        found = find_mismatches(self._registry.visible(exclude_dangerous=False), offers)
        self._telling.tell(found)
        return found

    def note_dispatch(self) -> None:
        """Do nothing: the thread looks often enough."""

    def close(self) -> None:
        """Keep the registry as it is from now on."""
        self._closed.set()
        self._thread.join(CLOSE_PATIENCE)

    def _run(self) -> None:
        while not self._closed.wait(REFRESH_EVERY):
            _look_quietly(self)


class _Telling:
    """Tells each mismatch once, however often it is found."""

    def __init__(self) -> None:
        self._told: frozenset[tuple[str, str, str | None]] = frozenset()

    def tell(self, found: list[Mismatch]) -> None:
        fresh = [one for one in found if _identity(one) not in self._told]
        self._told = frozenset(map(_identity, found))
        tell_mismatches(fresh)


def _identity(one: Mismatch) -> tuple[str, str, str | None]:
    return one.tool, one.digest, one.offered


def _look_quietly(lookout: Lookout) -> None:
    try:
        lookout.check()
    except LedgerUnavailable as error:
        log.debug("catalog.unavailable", reason=str(error))
    except Exception as error:  # noqa: BLE001 -- what only informs must not harm the application
        log.warning("catalog.unavailable", reason=f"{type(error).__name__}: {error}")
