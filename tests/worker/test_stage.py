"""The stage: who has the event loop, as another thread and another process see it."""

from __future__ import annotations

import asyncio

import pytest

from toolferry_ledger import Claim
from toolferry_worker.pulse import Pulse
from toolferry_worker.runs import Run
from toolferry_worker.stage import Stage

CLAIM = Claim("t1:0", 7, b"", "", 1, 0.0, 0.0, 60.0, 5.0)


@pytest.fixture
def pulse() -> Pulse:
    """Give a pulse that has beaten once, with a call whose limit passes at 9."""
    pulse = Pulse()
    pulse.beat(1.0, 9.0)
    return pulse


async def test_a_handler_has_the_loop_only_while_it_does_something(pulse: Pulse) -> None:
    """And not while it awaits."""
    stage, run = Stage(pulse), Run(CLAIM, began=2.0)
    seen: list[tuple[bool, float]] = []

    async def look() -> None:
        """Note who has the loop, before and after a pause."""
        for _ in range(2):
            seen.append((stage.now[0] is run, pulse.limit_at))
            await asyncio.sleep(0)

    task = asyncio.ensure_future(stage.follow(run, look()))
    await asyncio.sleep(0)
    seen.append((stage.now[0] is run, pulse.limit_at))
    await task

    assert seen == [(True, 7.0), (False, 9.0), (True, 7.0)]


async def test_what_a_handler_gives_and_raises_comes_through(pulse: Pulse) -> None:
    """Its value, its exception, and its cancellation."""
    stage, run = Stage(pulse), Run(CLAIM)

    async def give() -> int:
        """Give a number after a pause."""
        return await asyncio.sleep(0, 3)

    async def fail() -> None:
        """Raise after a pause."""
        await asyncio.sleep(0)
        raise LookupError("gone")

    async def swallow() -> str:
        """Go on after a cancellation."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "cancelled"
        return "ended"

    swallowing = asyncio.ensure_future(stage.follow(run, swallow()))
    await asyncio.sleep(0)
    swallowing.cancel()

    assert await stage.follow(run, give()) == 3
    with pytest.raises(LookupError, match="gone"):
        await stage.follow(run, fail())
    assert await swallowing == "cancelled"
    assert stage.now[0] is None
