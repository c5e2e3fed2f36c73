"""The publisher: rings the bell from a thread of its own, so that nobody who runs calls waits."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from queue import SimpleQueue

from toolferry_ledger import Bell, Ring


class Publisher:
    """Publishes notices in the order in which they came, those that came together at once.

    Args:
        bell: What to ring; closed with the publisher.
    """

    def __init__(self, bell: Bell) -> None:
        self._bell = bell
        self._rings: SimpleQueue[Sequence[Ring] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)

    def start(self) -> None:
        """Begin to publish."""
        self._thread.start()

    def publish(self, rings: Sequence[Ring]) -> None:
        """Hand over notices; returns at once, from any thread."""
        if rings:
            self._rings.put(rings)

    def stop(self, patience: float) -> None:
        """Publish what is left and stop; after `patience` seconds the reaper may do the rest."""
        self._rings.put(None)
        self._thread.join(patience)

    def _run(self) -> None:
        stopping = False
        while not stopping:
            together = [self._rings.get()]
            while not self._rings.empty():
                together.append(self._rings.get())
            stopping = None in together
            self._bell.ring([ring for rings in together if rings for ring in rings])
        self._bell.close()
