"""The settler: writes the ends of attempts; those that fall together share one round trip."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from toolferry import CallState, LedgerUnavailable
from toolferry_ledger import AsyncLedger, Ring
from toolferry_worker.attempt import Finished
from toolferry_worker.persistence import PAUSE, unavailable

#: Ends in one write at the most: more would keep the server from others for over a millisecond.
MAX_TOGETHER: Final = 200
#: Bytes of results in one write, about.
MAX_BYTES: Final = 4 * 1024 * 1024


class Settler:
    """Writes what is handed to it, in order, until the server has taken it.

    While one write is under way, further ends gather for the next: nothing waits for a timer.

    Args:
        owner: The worker's name.
        ledger: Where to; belongs to the loop that runs `run`.
        publish: Gets the notices that a write allows to go out.
        on_settled: Told of each end whether it was accepted.
    """

    def __init__(
        self,
        owner: str,
        ledger: AsyncLedger,
        publish: Callable[[Sequence[Ring]], None],
        on_settled: Callable[[Finished, bool], None],
    ) -> None:
        self._owner = owner
        self._ledger = ledger
        self._publish = publish
        self._on_settled = on_settled
        self._waiting: list[Finished] = []
        self._writing: list[Finished] = []
        self._wanted = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()

    def put(self, finished: Finished) -> None:
        """Have an end written; returns at once."""
        self._waiting.append(finished)
        self._wanted.set()
        self._empty.clear()

    @property
    def unwritten(self) -> list[Finished]:
        """What is not known to be written; for another thread, when this one's loop is blocked."""
        return [*self._writing, *self._waiting]

    def keep(self, kept: Finished) -> None:
        """Have a checkpoint written; it takes the place of an older one that still waits.

        So a handler that keeps something very often fills no memory while the server is away.
        """
        for at, waiting in enumerate(self._waiting):
            if is_checkpoint(waiting) and waiting.claim is kept.claim:
                self._waiting[at] = kept
                return
        self.put(kept)

    async def wait_empty(self) -> None:
        """Wait until everything is written."""
        await self._empty.wait()

    async def run(self) -> None:
        """Write, for ever."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            while self._waiting:
                await self._write_next()
            self._empty.set()

    async def _write_next(self) -> None:
        batch = self._writing = self._next()
        try:
            await self._write(batch)
            self._writing = []
        except asyncio.CancelledError:
            # By a handler that cancels all tasks: whoever settles after this one writes it.
            self._waiting[:0] = batch
            self._wanted.set()
            raise

    def _next(self) -> list[Finished]:
        """Take what goes into the next write: at least one, and no more than the limits."""
        count, size = 0, 0
        for finished in self._waiting[:MAX_TOGETHER]:
            size += len(finished.settlement.result or b"")
            if count and size > MAX_BYTES:
                break
            count += 1
        batch, self._waiting = self._waiting[:count], self._waiting[count:]
        return batch

    async def _write(self, batch: Sequence[Finished]) -> None:
        settlements = [finished.settlement for finished in batch]
        while True:
            try:
                reply = await self._ledger.settle(settlements, self._owner)
                break
            except LedgerUnavailable as error:
                unavailable.tell(error=str(error))
                await asyncio.sleep(PAUSE)
        self._publish(reply.rings)
        for finished, accepted in zip(batch, reply.accepted, strict=True):
            self._on_settled(finished, accepted)


def is_checkpoint(finished: Finished) -> bool:
    """Tell whether what is to be written is no end: its attempt goes on."""
    return finished.settlement.state is CallState.RUNNING
