"""The asyncio dispatcher: the same turns, and a loop that is never blocked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import make_registry, response
from toolferry import Outcome, ResultTimedOut, ResultUnavailable
from toolferry_dispatcher import AsyncDispatcher
from toolferry_ledger import Settings

OSLO = ("look_up", {"city": "Oslo"})
ROME = ("look_up", {"city": "Rome"})


@pytest.fixture
async def dispatcher(settings: Settings) -> AsyncIterator[AsyncDispatcher]:
    """Give an asyncio dispatcher of its own on the shared server."""
    async with AsyncDispatcher(make_registry(), settings) as dispatcher:
        yield dispatcher


async def test_results_are_gathered_in_order(
    dispatcher: AsyncDispatcher, worker: HandWorker
) -> None:
    """A coroutine that waits gets every result, in the model's order."""
    turn = await dispatcher.dispatch(response(OSLO, ROME))
    gathering = asyncio.ensure_future(turn.gather(timeout=5))
    await asyncio.to_thread(lambda: worker.succeed(*reversed(worker.take())))

    results = await gathering

    assert [r.content["city"] for r in results] == ["Oslo", "Rome"]


async def test_async_iteration_gives_results_as_they_end(
    dispatcher: AsyncDispatcher, worker: HandWorker
) -> None:
    """The first end is heard of while the second call still runs."""
    turn = await dispatcher.dispatch(response(OSLO, ROME))
    first, second = await asyncio.to_thread(worker.take)
    heard = []
    await asyncio.to_thread(worker.succeed, second)
    async for result in turn:
        heard.append(result.call_id)
        if len(heard) == 1:
            await asyncio.to_thread(worker.succeed, first)

    assert heard == ["call_1", "call_0"]


async def test_messages_and_attach_work_on_a_loop(
    dispatcher: AsyncDispatcher, worker: HandWorker
) -> None:
    """A turn can be attached to and written as messages."""
    turn = await dispatcher.dispatch(response(OSLO))
    await asyncio.to_thread(lambda: worker.succeed(*worker.take()))
    attached = await dispatcher.attach(turn.turn_id)

    assert await attached.messages(timeout=5) == await turn.messages(timeout=5)


async def test_a_gather_that_runs_out_of_time_says_so(dispatcher: AsyncDispatcher) -> None:
    """The caller's patience ends, the turn does not."""
    turn = await dispatcher.dispatch(response(OSLO))

    with pytest.raises(ResultTimedOut, match="call_0"):
        await turn.gather(timeout=0.01)


def test_one_dispatcher_serves_several_loops(settings: Settings, worker: HandWorker) -> None:
    """A dispatcher belongs to no loop."""
    dispatcher = AsyncDispatcher(make_registry(), settings)

    async def one_turn() -> Outcome:
        """Dispatch and gather one turn on this loop."""
        turn = await dispatcher.dispatch(response(OSLO))
        await asyncio.to_thread(lambda: worker.succeed(*worker.take()))
        return (await turn.gather(timeout=5))[0].outcome

    assert {asyncio.run(one_turn()) for _ in range(2)} == {Outcome.SUCCEEDED}
    asyncio.run(dispatcher.aclose())


async def test_the_loop_goes_on_while_a_big_turn_is_dispatched(
    dispatcher: AsyncDispatcher,
) -> None:
    """Reading, judging and publishing a thousand calls leaves the loop free."""
    ticks = 0

    async def tick() -> None:
        """Count the rounds of the loop."""
        nonlocal ticks
        while True:
            await asyncio.sleep(0)
            ticks += 1

    ticking = asyncio.ensure_future(tick())
    turn = await dispatcher.dispatch(response(*[OSLO] * 1000))
    ticking.cancel()

    assert len(turn.meta.calls) == 1000
    assert ticks > 10


async def test_a_gather_that_outlives_its_dispatcher_is_told(settings: Settings) -> None:
    """Closing wakes whoever waits; the turn goes on in the ledger."""
    dispatcher = AsyncDispatcher(make_registry(), settings)
    turn = await dispatcher.dispatch(response(OSLO))
    gathering = asyncio.ensure_future(turn.gather(timeout=30))
    await asyncio.sleep(0)

    await dispatcher.aclose()

    with pytest.raises(ResultUnavailable, match="was closed"):
        await gathering
