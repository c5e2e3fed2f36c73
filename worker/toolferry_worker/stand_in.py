"""The stand-in: writes the ends of calls from a thread, while the event loop cannot."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Final

from toolferry_ledger import Ledger, Ring
from toolferry_worker.attempt import Finished
from toolferry_worker.persistence import until_answered

#: Seconds that are spent on what is left when the worker stops.
STOP_PATIENCE: Final = 5.0


class StandIn:
    """Writes what is handed to it, in order, until the server has taken it.

    Args:
        owner: The worker's name.
        ledger: Where to; over a connection of its own.
        publish: Gets the notices that a write allows to go out.
        on_settled: Told of each end whether it was accepted.
    """

    def __init__(
        self,
        owner: str,
        ledger: Ledger,
        publish: Callable[[Sequence[Ring]], None],
        on_settled: Callable[[Finished, bool], None],
    ) -> None:
        self._owner = owner
        self._ledger = ledger
        self._publish = publish
        self._on_settled = on_settled
        self._waiting: SimpleQueue[Finished | None] = SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="stand-in", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def put(self, finished: Finished) -> None:
        """Have an end written; returns at once."""
        self._waiting.put(finished)

    def stop(self) -> None:
        """Write what is left, as far as the server lets us within five seconds."""
        self._waiting.put(None)
        self._thread.join(STOP_PATIENCE)
        self._stopped.set()

    def _run(self) -> None:
        while finished := self._waiting.get():
            self._write(finished)

    def _write(self, finished: Finished) -> None:
        settle = partial(self._ledger.settle, [finished.settlement], self._owner)
        reply = until_answered(settle, self._stopped.is_set)
        if reply is not None:
            self._publish(reply.rings)
            self._on_settled(finished, reply.accepted[0])
