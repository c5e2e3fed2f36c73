"""The head start: who hands calls over waits until the loop has gone through them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.ledger.samples import Bench
from toolferry import Lane
from toolferry_ledger import Pool, Settings
from toolferry_worker.head_start import WHOLE_TURN, HeadStart


@contextmanager
def running_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run a loop in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def test_it_is_over_when_what_was_begun_has_had_its_turns() -> None:
    """Tasks that wait for nothing have ended by then, and what waited for them has gone on."""
    seen: list[str] = []

    async def settle(ended: asyncio.Event) -> None:
        await ended.wait()
        seen.append("settled")

    async def act(ended: asyncio.Event) -> None:
        seen.append("acted")
        ended.set()

    with running_loop() as loop:
        start = HeadStart(loop, patience=60)
        ended = asyncio.Event()
        asyncio.run_coroutine_threadsafe(settle(ended), loop)
        acting: list[asyncio.Task[None]] = []

        def begin() -> None:
            acting.append(loop.create_task(act(ended)))
            start.end_soon()

        start.give()
        loop.call_soon_threadsafe(begin)
        start.wait()

        assert seen == ["acted", "settled"]


def test_a_handler_that_keeps_the_loop_keeps_nobody_else() -> None:
    """The wait ends although nobody ends the head start."""
    held = threading.Event()
    with running_loop() as loop:
        start = HeadStart(loop)
        start.give()
        loop.call_soon_threadsafe(held.wait)
        loop.call_soon_threadsafe(start.end_soon)

        start.wait()

        held.set()


def test_each_hand_over_gets_its_own() -> None:
    """The end of an earlier one ends no later one that was given after it."""
    with running_loop() as loop:
        start = HeadStart(loop, patience=60)
        start.give()
        loop.call_soon_threadsafe(start.end_soon)
        start.wait()
        again = threading.Event()

        start.give()
        loop.call_soon_threadsafe(again.set)
        loop.call_soon_threadsafe(start.end_soon)
        start.wait()

        assert again.is_set()


@pytest.mark.parametrize(("calls", "notices"), [(WHOLE_TURN, 1), (WHOLE_TURN + 1, 2)])
def test_a_turn_that_is_taken_for_whole_is_so(settings: Settings, calls: int, notices: int) -> None:
    """One call more, and the ledger sends two notices to the only worker."""
    bench = Bench.on(settings)
    bench.ledger.beat(bench.worker, [Pool(Lane.ASYNC)], 256)

    rings = bench.submit(count=calls).rings

    bench.ledger.close()
    assert (len(rings), len({ring.notice for ring in rings})) == (calls, notices)
