"""Orders: a worker is told which of its calls were cancelled, and stops them.

1. Whoever cancels a call that runs leaves a mark in its record and a word on the worker's list; the
   sweep repeats that word every 2 s for as long as the call runs, so a lost one is no matter.
2. A thread with a connection of its own reads the list, and reads from the records why.
3. Its lane asks the handler to stop, and when that has not helped within the grace, goes on without
   it: in the async lane the call ends while its handler still runs, in the process lane the child
   is killed. A handler that ends well before has succeeded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from toolferry import CallState, LedgerUnavailable
from toolferry_ledger import Ledger, Suspect
from toolferry_worker.persistence import PAUSE, unavailable

#: Seconds that a handler has to end after it was asked to because its call was cancelled.
CANCEL_GRACE: Final = 2.0
#: Seconds that one read of the list waits at the most; the client itself gives up after 2.2.
PATIENCE: Final = 1.5


@dataclass(frozen=True, slots=True)
class Order:
    """An attempt that is to be stopped."""

    call_key: str
    fence: int
    #: Why, as whoever cancelled it said; may be empty.
    reason: str


class OrdersThread:
    """Reads the orders of one worker.

    Args:
        ledger: A client of its own, since a read blocks it.
        owner: The worker's name.
        obey: Stops an attempt; must return at once. It is told again every 2 s while the call runs,
            also of attempts that have just ended.
    """

    def __init__(self, ledger: Ledger, owner: str, obey: Callable[[Order], None]) -> None:
        self._ledger = ledger
        self._owner = owner
        self._obey = obey
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="orders", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Obey no more; does not wait for a read that is under way."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                wanted = self._ledger.read_orders(self._owner, PATIENCE)
                calls = self._ledger.inspect_calls([key for key, _ in wanted]) if wanted else []
            except LedgerUnavailable as error:
                if not self._stopped.is_set():
                    unavailable.tell(error=str(error))
                    self._stopped.wait(PAUSE)
            else:
                self._tell(set(wanted), calls)

    def _tell(self, wanted: set[tuple[str, int]], calls: Sequence[Suspect]) -> None:
        for call in calls:
            is_meant = (call.call_key, call.fence) in wanted and call.state is CallState.RUNNING
            if is_meant and call.cancelled is not None and not self._stopped.is_set():
                self._obey(Order(call.call_key, call.fence, call.cancelled))
