"""The head start: a small turn runs before Celery's thread goes on to the next message.

Whoever hands calls to the event loop has little left to do then, but does it at the wrong moment:
while the loop's thread works, and while the server writes what came of it. On a machine with few
processors they are in each other's way. With a head start, one call and ten calls are back 5 %
sooner, and a hundred or a thousand as soon as before (paired turns on two processors).

A large turn travels in several notices, of which more may wait: after those nobody waits.
"""

from __future__ import annotations

import asyncio
import threading
from typing import Final

#: Calls of a notice that is taken for all of its turn: the ledger splits no turn of so many, see
#: `batch_size` in common.lua.
WHOLE_TURN: Final = 16
#: Seconds to wait at the most: a handler that keeps the loop must not keep the next message.
PATIENCE: Final = 0.005
#: Turns of the loop until calls that do not wait for anything have ended, and their ends are on
#: their way: the tasks begin, the settler wakes, it has sent.
TURNS: Final = 3


class HeadStart:
    """Lets the loop go first. One thread waits; the loop's thread tells it to go on.

    Args:
        loop: Whose calls go first.
        patience: Seconds to wait at the most.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, patience: float = PATIENCE) -> None:
        self._loop = loop
        self._patience = patience
        # Held while the loop goes first; a lock is waited for with less ado than an event.
        self._under_way = threading.Lock()

    def give(self) -> None:
        """Begin one, before the calls are handed over."""
        self._under_way.acquire(blocking=False)

    def wait(self) -> None:
        """Wait until it is over, or for the patience."""
        self._under_way.acquire(timeout=self._patience)

    def end_soon(self, turns: int = TURNS) -> None:
        """End it so many turns of the loop from now; for the loop's thread."""
        if turns:
            self._loop.call_soon(self.end_soon, turns - 1)
        elif self._under_way.locked():
            self._under_way.release()
