"""The warden: ends a worker whose interpreter a handler holds beyond its limit.

Such a handler is in foreign code that never lets go of the interpreter, a hopeless regular
expression say: no thread of the worker runs, no signal handler does. The warden is a thread of the
helper that renews the worker's lease, and sees the worker's pulse.

A worker that is held within the limit of who holds it is left alone, for hours if need be, and so
is one that somebody has stopped (SIGSTOP). Else:

1. The worker is stopped, so that it can begin nothing more.
2. What is over its limit is told as timed out: a round of the reaper does that.
3. Its lease ends, so that the sweep gives its other calls to other workers.
4. It is killed with all that it has started, this helper included. Nothing could turn it into a new
   one; whoever supervises it starts it again (`toolferry up`, Compose, systemd, Kubernetes).

While the server is away there is nobody to tell, and it waits.
"""

from __future__ import annotations

import os
import signal
import time
from typing import Final

import structlog

from toolferry import LedgerUnavailable
from toolferry_ledger import Bell, Ledger, Reaper
from toolferry_worker.descendants import kill_descendants, process_state
from toolferry_worker.persistence import unavailable
from toolferry_worker.pulse import Pulse
from toolferry_worker.station import Station

log = structlog.get_logger(__name__)

#: Seconds between two looks.
LOOK_EVERY: Final = 0.5
#: Seconds without a pulse after which no thread runs; ten times its pause, and many more.
STILL_AFTER: Final = 3.0
#: Seconds after the limit of the handler that holds the interpreter; the reaper tells its timeout
#: two seconds after.
HOLDERS_TIME: Final = 4.0


class Warden:
    """Watches over one worker from another process.

    Args:
        station: Which worker.
        pulse: Its pulse.
        worker: Its process.
    """

    def __init__(self, station: Station, pulse: Pulse, worker: int) -> None:
        self._station = station
        self._pulse = pulse
        self._worker = worker
        self._ledger = Ledger(station.settings)
        self._reaper = Reaper(self._ledger, Bell(station.settings), station.signer)
        #: When this process began to run again, after both were suspended; 0 when they never were.
        self._awake_since = 0.0

    def watch(self) -> None:
        """Look, for ever."""
        looked_at = time.monotonic()
        while True:
            time.sleep(LOOK_EVERY)
            now = time.monotonic()
            if now - looked_at > STILL_AFTER:
                self._awake_since = now
            looked_at = now
            if self.is_needed(now):
                self._end()

    def is_needed(self, now: float) -> bool:
        """Tell whether the worker is held by a handler that is over its limit.

        Args:
            now: This machine's monotonic clock, in seconds.
        """
        beaten_at, limit_at = self._pulse.beaten_at, self._pulse.limit_at
        is_still = beaten_at > 0 and max(beaten_at, self._awake_since) < now - STILL_AFTER
        return is_still and 0 < limit_at < now - HOLDERS_TIME and not _is_stopped(self._worker)

    def _end(self) -> None:
        station = self._station
        os.kill(self._worker, signal.SIGSTOP)
        try:
            self._reaper.tick()
            self._ledger.leave(station.owner, station.pools)
        except LedgerUnavailable as error:
            unavailable.tell(error=str(error))
            os.kill(self._worker, signal.SIGCONT)
            return
        except BaseException:
            os.kill(self._worker, signal.SIGCONT)
            raise
        log.error(
            "worker.killed",
            owner=station.owner,
            reason="a handler holds the interpreter after its limit",
        )
        kill_descendants(self._worker, spare=os.getpid())
        os.kill(self._worker, signal.SIGKILL)


def _is_stopped(pid: int) -> bool:
    """Tell whether somebody has stopped a process; False where the system does not tell."""
    return process_state(pid) in {"T", "t"}
