"""Listening: an application hears of what happens in its system, and can follow a replay."""

from __future__ import annotations

import asyncio
from itertools import islice

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import make_registry, response
from toolferry import Lane
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_ledger import OLDEST, Bell, DeadLetters, Settings, Signer

OSLO = ("look_up", {"city": "Oslo"})


def lose(dispatcher: Dispatcher, worker: HandWorker) -> str:
    """Have a call end as a dead letter; give its key."""
    dispatcher.dispatch(response(OSLO))
    (claim,) = worker.take(Lane.ASYNC)
    worker.fail(claim)
    return claim.call_key


def test_an_application_hears_of_a_dead_letter(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """What is listened to begins with the call, not with the first event."""
    events = dispatcher.events()
    key = lose(dispatcher, worker)

    event = next(events)

    assert (event.kind, event.call_key, event.tool) == ("dead", key, "look_up")


def test_an_application_hears_of_what_it_missed(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """It goes on after the last event that it heard."""
    first, second = lose(dispatcher, worker), lose(dispatcher, worker)

    (heard,) = islice(dispatcher.events(OLDEST), 1)
    next_one = next(dispatcher.events(heard.position))

    assert (heard.call_key, next_one.call_key) == (first, second)


def test_an_application_follows_a_replay(
    dispatcher: Dispatcher, worker: HandWorker, settings: Settings
) -> None:
    """It attaches to the replay's turn as to any other; the first turn stays as it is."""
    key = lose(dispatcher, worker)
    bell = Bell(settings)
    letters = DeadLetters(worker.ledger, Signer(settings.secret), bell)
    (replayed,) = letters.replay([key])
    turn = dispatcher.attach(replayed.replay.rpartition(":")[0])

    worker.succeed(*worker.take(Lane.ASYNC))

    (result,) = turn.gather(timeout=5)
    assert turn.messages()[-1]
    (before,) = dispatcher.attach(key.rpartition(":")[0]).gather(timeout=5)
    bell.close()
    assert (result.name, result.content) == ("look_up", {"city": "Oslo"})
    assert before.is_error


async def test_a_coroutine_hears_of_a_dead_letter(
    dispatcher: Dispatcher, worker: HandWorker, settings: Settings
) -> None:
    """And its loop goes on while it waits."""
    async with AsyncDispatcher(make_registry(), settings) as listener:
        events = listener.events(OLDEST)
        waiting = asyncio.ensure_future(anext(events))
        key = await asyncio.to_thread(lose, dispatcher, worker)

        event = await waiting
        await events.aclose()

    assert event.call_key == key
