"""What all neighbours do: nobody is left alone with a call that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import redis

from tests.dispatcher.samples import make_registry
from tests.waiting import wait_until
from toolferry import CallState, ToolCall
from toolferry_dispatcher import AsyncDispatcher
from toolferry_dispatcher.neighbours.carrying import carry_async
from toolferry_ledger import Ledger, Settings

CALL = ToolCall("c0", "look_up", {"city": "Oslo"})


@pytest.fixture
async def alone(settings: Settings) -> AsyncIterator[AsyncDispatcher]:
    """Give a dispatcher of a system without workers."""
    async with AsyncDispatcher(make_registry(), settings) as dispatcher:
        yield dispatcher


@pytest.fixture
def ledger(settings: Settings) -> Ledger:
    """Give the ledger of that system."""
    return Ledger(settings)


def only_call(client: redis.Redis, settings: Settings) -> str | None:
    """Give the key of the one call that the system knows; None before it knows it."""
    prefix = f"{settings.key_prefix}call:"
    return next((key.removeprefix(prefix) for key in client.scan_iter(f"{prefix}*:0")), None)


async def test_a_call_is_called_off_whose_dispatch_was_still_under_way(
    alone: AsyncDispatcher, settings: Settings, client: redis.Redis, ledger: Ledger
) -> None:
    """It is known only afterwards, and cancelled then."""
    waiting = asyncio.create_task(carry_async(alone, [CALL], {}))
    await asyncio.sleep(0)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    key = await asyncio.to_thread(wait_until, lambda: only_call(client, settings), "the call")
    found = ledger.inspect_call(key)
    assert found
    assert found.state is CallState.CANCELLED
    ledger.close()


async def test_a_turn_with_a_name_goes_on(
    alone: AsyncDispatcher, settings: Settings, client: redis.Redis
) -> None:
    """Whoever knows its name can come back for its results."""
    waiting = asyncio.create_task(carry_async(alone, [CALL], {"turn_id": "t1"}))
    await asyncio.to_thread(wait_until, lambda: only_call(client, settings), "the call")

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    turn = await alone.attach("t1")
    assert turn.watch.ended == set()
