"""The server is gone: whoever asks for something is told so in time, and nobody hangs."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.dispatcher.samples import make_registry, response
from toolferry import LedgerUnavailable
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_ledger import Settings

OSLO = ("look_up", {"city": "Oslo"})
#: Seconds within which an error must come: 5, and one for a machine with much to do.
TOLD_WITHIN = 6.0


@pytest.fixture
def away(settings: Settings) -> Settings:
    """Give the settings of a system whose server is not there."""
    return replace(settings, url="redis://:hush@127.0.0.1:1/0")


@pytest.fixture
def silent(settings: Settings) -> Iterator[Settings]:
    """Give the settings of a system whose server takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        yield replace(settings, url=f"redis://:hush@127.0.0.1:{port}/0")


def test_a_dispatch_says_that_the_server_is_gone(away: Settings) -> None:
    """At once, in one sentence, without the password."""
    with (
        Dispatcher(make_registry(), away) as dispatcher,
        pytest.raises(LedgerUnavailable, match=r"did not answer .*; check that it runs") as told,
    ):
        dispatcher.dispatch(response(OSLO))

    assert "hush" not in str(told.value)


@pytest.mark.slow
def test_a_dispatch_to_a_silent_server_fails_in_time(silent: Settings) -> None:
    """It cannot know whether the server would have answered a moment later."""
    began = time.monotonic()

    with (
        Dispatcher(make_registry(), silent) as dispatcher,
        pytest.raises(LedgerUnavailable, match="did not answer"),
    ):
        dispatcher.dispatch(response(OSLO))

    assert time.monotonic() - began < TOLD_WITHIN


@pytest.mark.slow
def test_a_loop_goes_on_while_a_silent_server_is_waited_for(silent: Settings) -> None:
    """The asyncio dispatcher fails in time too, and other coroutines notice nothing."""
    turns = 0

    async def spin() -> None:
        """Do something else meanwhile."""
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0.01)

    async def dispatch() -> float:
        """Give the seconds that it took to be refused."""
        spinning = asyncio.create_task(spin())
        began = time.monotonic()
        dispatcher = AsyncDispatcher(make_registry(), silent)
        with pytest.raises(LedgerUnavailable, match="did not answer"):
            await dispatcher.dispatch(response(OSLO))
        took = time.monotonic() - began
        spinning.cancel()
        await dispatcher.aclose()
        return took

    assert asyncio.run(dispatch()) < TOLD_WITHIN
    assert turns > 50


@pytest.mark.slow
def test_many_dispatches_at_once_fail_in_time(silent: Settings) -> None:
    """None waits for the connections of the others."""
    took: list[float] = []

    def dispatch(dispatcher: Dispatcher) -> None:
        began = time.monotonic()
        with pytest.raises(LedgerUnavailable):
            dispatcher.dispatch(response(OSLO))
        took.append(time.monotonic() - began)

    with Dispatcher(make_registry(), silent) as dispatcher:
        threads = [threading.Thread(target=dispatch, args=(dispatcher,)) for _ in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert len(took) == 24
    assert max(took) < TOLD_WITHIN
