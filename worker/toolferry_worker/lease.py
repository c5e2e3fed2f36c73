"""The lease: a worker's sign of life, renewed outside the code of its users.

The calls that a worker runs live and die with its lease, so nothing that a handler does may keep it
from being renewed.

* Process lane: a thread of the parent renews it; handlers run in the children.
* Async lane: a handler can hold the interpreter for seconds, so a small process does it, forked
  from the worker before there are threads. It dies with the worker at once (PR_SET_PDEATHSIG), or
  within two seconds where the system has no such thing.

Both are started early and begin to renew when they are told to: a worker whose resources are not up
yet is not there for anybody.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import structlog

from toolferry import LedgerUnavailable
from toolferry_ledger import Catalog, Ledger, Offer, Pool, Settings, Signer, connect_briefly
from toolferry_worker.persistence import unavailable

log = structlog.get_logger(__name__)

#: Renewals in the time that a lease lasts.
RENEWALS: Final = 3
#: Seconds between two tries when one failed. A try gives up after a quarter of the lease, so that
#: one that waited for a dead connection is followed by one on a new one before the lease ends.
TRY_EVERY: Final = 0.2
#: `prctl` option: the signal that the kernel sends when the parent's thread ends.
_PR_SET_PDEATHSIG: Final = 1
#: Signals that end a worker; its helper goes on until the worker has really gone.
_OUTLIVED: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Whose life is told, and how."""

    settings: Settings
    owner: str
    pools: Sequence[Pool]
    #: How many calls the worker can run at once.
    slots: int
    #: What the worker offers; told anew with each renewal.
    offer: Offer


def keep_renewed(lease: Lease, ledger: Ledger, pause: Callable[[float], bool]) -> None:
    """Renew a lease until `pause` says so.

    Args:
        lease: What to renew.
        ledger: Where; made to give up soon, see `connect_briefly`.
        pause: Waits the given seconds and tells whether to stop.
    """
    catalog = Catalog(ledger, Signer(lease.settings.secret))
    wait = renew_every = lease.settings.keeping.lease / RENEWALS
    while not pause(wait):
        wait = renew_every
        try:
            ledger.beat(lease.owner, lease.pools, lease.slots)
            catalog.offer(lease.offer)
        except LedgerUnavailable as error:
            unavailable.tell(error=str(error))
            wait = TRY_EVERY


class LeaseThread:
    """Renews a lease from a thread of this process."""

    def __init__(self, lease: Lease, ledger: Ledger) -> None:
        self._lease = lease
        self._ledger = ledger
        self._begun = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lease", daemon=True)

    @property
    def is_running(self) -> bool:
        """Whether it still renews."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Get ready to renew."""
        self._thread.start()

    def begin(self) -> None:
        """Renew from now on."""
        self._begun.set()

    def stop(self) -> None:
        """Renew no more; returns when that is certain."""
        self._stopped.set()
        self._begun.set()
        self._thread.join()

    def _run(self) -> None:
        self._begun.wait()
        if not self._stopped.is_set():
            keep_renewed(self._lease, self._ledger, self._stopped.wait)


class LeaseProcess:
    """Renews a lease from a process of its own, which does not outlive this one.

    Args:
        lease: What to renew.
        beside: What else that process does, in a thread, from the first renewal on; gets the
            process id of the worker.
    """

    def __init__(self, lease: Lease, beside: Callable[[int], None] | None = None) -> None:
        self._lease = lease
        self._beside = beside
        #: The process; 0 when there is none.
        self.pid = 0
        self._go: int | None = None
        self._begun = threading.Event()
        self._stopped = threading.Event()
        self._stand_in = threading.Thread(target=self._replace, name="lease", daemon=True)

    def start(self) -> None:
        """Fork the helper; to be called from the main thread while it is the only one."""
        parent = os.getpid()
        waits, self._go = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._go)
            _live_as_helper(self._lease, self._beside, parent, waits)
        os.close(waits)
        self._stand_in.start()

    def begin(self) -> None:
        """Have it renewed from now on."""
        self._begun.set()
        if self._go is not None:
            with suppress(BrokenPipeError):  # the helper has died, and the stand-in renews
                os.write(self._go, b"!")
            os.close(self._go)
            self._go = None

    def stop(self) -> None:
        """Renew no more; returns when that is certain."""
        self._stopped.set()
        self.begin()
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self._stand_in.join()
            self.pid = 0

    def _replace(self) -> None:
        """Renew from this process from the moment that the helper has gone, whoever killed it."""
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        if not self._stopped.is_set():
            log.error("lease.helper_died", owner=self._lease.owner)
        self._begun.wait()
        if not self._stopped.is_set():
            ledger = Ledger(self._lease.settings, connect_briefly)
            keep_renewed(self._lease, ledger, self._stopped.wait)


def _live_as_helper(
    lease: Lease, beside: Callable[[int], None] | None, parent: int, waits: int
) -> None:
    """Be the helper: never returns, and runs nothing that the worker wanted to run at its exit."""
    try:
        for number in _OUTLIVED:
            signal.signal(number, signal.SIG_IGN)
        _die_with_parent()
        if os.read(waits, 1):  # nothing when the worker has gone before it was told to begin
            if beside:
                threading.Thread(target=beside, args=(parent,), daemon=True).start()
            ledger = Ledger(lease.settings, connect_briefly)
            keep_renewed(lease, ledger, lambda seconds: _orphaned(parent, seconds))
    finally:
        os._exit(0)


def _orphaned(parent: int, seconds: float) -> bool:
    time.sleep(seconds)
    return os.getppid() != parent


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
