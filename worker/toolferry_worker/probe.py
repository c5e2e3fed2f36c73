"""The probe: whether this worker still takes notices, found out by a round trip.

A worker has a queue of its own beside those that it shares. When nothing has arrived for a while
although a slot is free, a message without calls is put there; it comes last, so any notice that
arrives instead will do. If the server answers, holds the message, and still nothing arrives, Celery
has stopped to consume: the worker exits and says why, and whoever supervises it starts it again.

A worker without a free slot takes nothing and is well. A server that is away is not its fault: the
time begins anew with each trouble.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from toolferry import ConfigurationError
from toolferry_ledger import Bell
from toolferry_worker.station import Station

#: Seconds between two looks.
LOOK_EVERY: Final = 1.0
#: Seconds without any message after which a probe is sent, by default; as long again, and the
#: worker is deaf.
PROBE_AFTER: Final = 30.0
#: What the id of a probe begins with; no call's key does.
_MARK: Final = "probe:"


def probe_after(environ: Mapping[str, str] = os.environ) -> float:
    """Give the seconds of silence before a probe: `TOOLFERRY_PROBE_SECONDS`; 0 sends none.

    Raises:
        ConfigurationError: What is set is no number, 0 or more.

    >>> probe_after({}), probe_after({"TOOLFERRY_PROBE_SECONDS": "0"})
    (30.0, 0.0)
    """
    text = environ.get("TOOLFERRY_PROBE_SECONDS") or str(PROBE_AFTER)
    if not text.replace(".", "", 1).isdecimal():
        raise ConfigurationError("TOOLFERRY_PROBE_SECONDS", f"{text!r} is no number, 0 or more")
    return float(text)


def probe_queue(namespace: str, owner: str) -> str:
    """Name the queue that only this worker reads."""
    return f"{namespace}.probe.{owner}"


def is_probe(headers: Mapping[str, Any] | None) -> bool:
    """Tell whether a message is a probe."""
    return str((headers or {}).get("id", "")).startswith(_MARK)


class Probe:
    """Looks after one worker's consumer, in a thread.

    Args:
        station: Which worker.
        bell: Sends the probes and tells whether they are still there.
        has_room: Tells whether the worker would take a notice now.
        leave: Has the worker exit; gets the reason.
    """

    def __init__(
        self,
        station: Station,
        bell: Bell,
        has_room: Callable[[], bool],
        leave: Callable[[str], None],
    ) -> None:
        self._queue = probe_queue(station.settings.namespace, station.owner)
        self._after = station.probe_after
        self._bell = bell
        self._has_room = has_room
        self._leave = leave
        self._quiet_since = time.monotonic()
        self._is_sent = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="probe", daemon=True)

    def start(self) -> None:
        """Begin to look, if that is wanted."""
        if self._after:
            self._thread.start()

    def stop(self) -> None:
        """Look no more; does not wait for a look that is under way."""
        self._stopped.set()

    def heard(self) -> None:
        """Take it that a message has arrived; any thread may."""
        self._quiet_since = time.monotonic()
        self._is_sent = False

    def _run(self) -> None:
        while not self._stopped.wait(min(LOOK_EVERY, self._after / 4)):
            self.look(time.monotonic())

    def look(self, now: float) -> None:
        """Do what is to be done at this moment.

        Args:
            now: This machine's monotonic clock, in seconds.
        """
        if not self._has_room():
            self.heard()
        elif now - self._quiet_since < self._after:
            pass
        elif not self._is_sent:
            self._send(now)
        elif not self._bell.holds(self._queue):
            self.heard()  # it was taken just now, or the broker is in trouble
        else:
            seconds = round(now - self._quiet_since + self._after)
            self._leave(f"it has taken no message for {seconds} s although one waits for it")
            self._stopped.set()

    def _send(self, now: float) -> None:
        if self._bell.knock(self._queue, f"{_MARK}{now}"):
            self._is_sent, self._quiet_since = True, now
        else:
            self.heard()
