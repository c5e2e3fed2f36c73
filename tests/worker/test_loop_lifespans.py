"""The lifespans of an async worker, on a real loop in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from tests.waiting import wait_until
from toolferry import Lane, Lifespan, Registry, lifespan
from toolferry_worker.loop_lifespans import MAX_HANGING, LoopLifespans
from toolferry_worker.station import Station


class Thing:
    """What is opened."""


class Desk:
    """Opens lifespans and remembers what they did."""

    def __init__(self, station: Station, loop: asyncio.AbstractEventLoop) -> None:
        self.station = station
        self.loop = loop
        self.happened: list[str] = []

    def opening(self, *lifespans: Lifespan) -> LoopLifespans:
        """Give what opens these, without pauses."""
        self.station = replace(self.station, registry=Registry([], lifespans))
        return LoopLifespans(self.station, self.loop, lambda _failures, _dice: 0.0)


@pytest.fixture
def desk(station: Station) -> Iterator[Desk]:
    """Give a desk with a loop that runs in a thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield Desk(station, loop)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def never() -> bool:
    """Say that the worker goes on."""
    return False


def test_what_is_provided_is_there_once_all_are_up(desk: Desk) -> None:
    """Async and sync ones, by their types."""
    thing = Thing()

    @lifespan
    async def made() -> AsyncIterator[Thing]:
        """Give the thing."""
        yield thing

    @lifespan(lane=Lane.ASYNC)
    def needs(it: Thing) -> Iterator[list]:  # type: ignore[type-arg]
        yield [it]

    lifespans = desk.opening(needs, made)

    assert lifespans.open(never)
    assert desk.station.provided == {Thing: thing, list: [thing]}
    lifespans.close()


def test_one_stays_open_while_a_handler_cancels_everything(desk: Desk) -> None:
    """It closes when it is told to, in the task that opened it."""
    tasks = []

    @lifespan
    async def made() -> AsyncIterator[Thing]:
        """Remember in which task it is opened and closed."""
        tasks.append(asyncio.current_task())
        yield Thing()
        tasks.append(asyncio.current_task())

    async def cancel_all() -> None:
        """Do what a handler may do."""
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    lifespans = desk.opening(made)
    lifespans.open(never)
    asyncio.run_coroutine_threadsafe(cancel_all(), desk.loop).result()
    assert len(tasks) == 1

    lifespans.close()

    assert len(tasks) == 2
    assert tasks[0] is tasks[1]


@pytest.mark.parametrize("is_async", [True, False], ids=["async", "sync"])
def test_one_that_comes_up_late_is_closed_at_once(desk: Desk, is_async: bool) -> None:  # noqa: FBT001 -- a case
    """It was given up, and another try is under way or done."""
    let_go = threading.Event()
    happened = desk.happened

    @lifespan(start_limit=0.1)
    async def deaf() -> AsyncIterator[Thing]:
        """Ignore the first cancellation."""
        happened.append("open")
        while len(happened) == 1 and not let_go.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(0.01)
        yield Thing()
        happened.append("closed")

    @lifespan(lane=Lane.ASYNC, start_limit=0.1)
    def hanging() -> Iterator[Thing]:
        happened.append("open")
        if len(happened) == 1:
            let_go.wait()
        yield Thing()
        happened.append("closed")

    lifespans = desk.opening(deaf if is_async else hanging)
    assert lifespans.open(never)

    let_go.set()

    wait_until(lambda: happened == ["open", "open", "closed"], "the late one's end")
    lifespans.close()
    assert happened == ["open", "open", "closed", "closed"]


def test_no_more_than_some_starts_hang_at_once(desk: Desk) -> None:
    """A thread that hangs cannot be stopped, so there is an end to new ones."""
    let_go = threading.Event()

    @lifespan(lane=Lane.ASYNC, start_limit=0.05)
    def hanging() -> Iterator[Thing]:
        desk.happened.append("open")
        let_go.wait()
        yield Thing()

    with capture_logs() as logs:
        lifespans = desk.opening(hanging)
        is_open = lifespans.open(lambda: len(logs) > MAX_HANGING)
    let_go.set()

    assert not is_open
    assert len(desk.happened) == MAX_HANGING
    assert logs[-1]["error"] == f"RuntimeError: {MAX_HANGING} starts hang already"


def test_one_that_raises_what_is_no_exception_is_told(desk: Desk) -> None:
    """It ends no loop and no worker."""

    @lifespan
    async def leaving() -> AsyncIterator[Thing]:
        """End the program, as far as that goes, once."""
        desk.happened.append("open")
        if len(desk.happened) == 1:
            raise SystemExit(3)
        yield Thing()

    with capture_logs() as logs:
        lifespans = desk.opening(leaving)
        assert lifespans.open(never)
    lifespans.close()

    assert [log["event"] for log in logs] == ["resource.failed", "resource.opened"]
    assert logs[0]["error"] == "SystemExit: 3"


def test_one_that_yields_nothing_is_told(desk: Desk) -> None:
    """As Python says it."""

    @lifespan
    def empty() -> Iterator[Thing]:
        desk.happened.append("open")
        if len(desk.happened) > 1:
            yield Thing()

    with capture_logs() as logs:
        lifespans = desk.opening(empty)
        assert lifespans.open(never)
    lifespans.close()

    assert logs[0]["error"] == "RuntimeError: generator didn't yield"
