"""The settler, with a server's answers made up where a real one could not give them in time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from toolferry import CallState, LedgerUnavailable
from toolferry_ledger import AsyncLedger, Claim, Settlement, SettleReply
from toolferry_worker.attempt import Finished
from toolferry_worker.settler import MAX_BYTES, MAX_TOGETHER, Settler


class Desk(AsyncLedger):
    """Where ends are written: takes as long, and fails as often, as it is told to."""

    def __init__(self, failures: int = 0) -> None:
        self.batches: list[int] = []
        self.opened = asyncio.Event()
        self.opened.set()
        self._failures = failures

    async def settle(self, settlements: Sequence[Settlement], owner: str = "") -> SettleReply:
        """Take a batch; the first of it is accepted."""
        await self.opened.wait()
        if self._failures:
            self._failures -= 1
            raise LedgerUnavailable("unix://", "it is away")
        self.batches.append(len(settlements))
        return SettleReply([at == 0 for at in range(len(settlements))], [])


def an_end(size: int = 0) -> Finished:
    """Give the end of an attempt."""
    claim = Claim("t:0", 1, b"", "", 1, 0.0, 0.0, 0.0, 1.0)
    settlement = Settlement("t:0", 1, CallState.SUCCEEDED, b"x" * size)
    return Finished(claim, "c0", "tool", settlement, None, 0.0)


async def settle_all(desk: Desk, ends: Sequence[Finished]) -> list[bool]:
    """Hand over ends together and give what was told of each."""
    told: list[bool] = []
    settler = Settler(
        "worker-1", desk, lambda _rings: None, lambda _end, accepted: told.append(accepted)
    )
    running = asyncio.create_task(settler.run())
    for end in ends:
        settler.put(end)
    await settler.wait_empty()
    running.cancel()
    return told


async def test_ends_that_fall_together_share_a_round_trip() -> None:
    """And each is told of by itself."""
    desk = Desk()

    told = await settle_all(desk, [an_end() for _ in range(3)])

    assert (desk.batches, told) == ([3], [True, False, False])


async def test_a_write_is_never_larger_than_its_limits() -> None:
    """Neither in number nor in size."""
    many, large = Desk(), Desk()

    await settle_all(many, [an_end() for _ in range(MAX_TOGETHER + 1)])
    await settle_all(large, [an_end(MAX_BYTES // 2 + 1) for _ in range(3)])

    assert (many.batches, large.batches) == ([MAX_TOGETHER, 1], [1, 1, 1])


async def test_a_write_is_tried_until_the_server_answers() -> None:
    """Nothing is lost on the way."""
    desk = Desk(failures=2)

    told = await settle_all(desk, [an_end()])

    assert (desk.batches, told) == ([1], [True])
