"""Queues and priorities on real workers: who runs what, and in which order."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.worker.running import RunningWorker, Start
from tests.worker.test_start import last_line
from tests.worker.test_start import run as run_in_vain
from toolferry import ConfigurationError, Lane, Priority, Registry, ToolCall, ToolContext, tool
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings
from toolferry_worker import command
from toolferry_worker.configuration import queues_from


@tool(queue="gpu")
async def render_image(number: int) -> int:
    """Run where there is a GPU."""
    return number


@tool
async def count_words(ctx: ToolContext) -> str:
    """Run anywhere."""
    return ctx.call_key


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher for the tools of this file."""
    with Dispatcher(Registry([render_image, count_words]), settings) as dispatcher:
        yield dispatcher


def start_serving(start: Start, queues: str, concurrency: int = 4) -> RunningWorker:
    """Start an async worker that serves these queues."""
    environment = {"TOOLFERRY_QUEUES": queues}
    worker: RunningWorker = start(
        Lane.ASYNC, concurrency=concurrency, environment=environment, tools=__name__
    )
    return worker.ready()


def test_a_call_runs_where_its_queue_is_served(dispatcher: Dispatcher, start: Start) -> None:
    """A worker of the same lane on other machines leaves it alone, and says nobody serves it."""
    start_serving(start, "default")
    turn = dispatcher.dispatch([ToolCall("i", "render_image", {"number": 7})])
    told = threading.Event()
    turn.watch.listen(lambda: told.set() if turn.warnings else None)

    assert told.wait(10)
    assert turn.warnings == (
        "No worker is alive for queue gpu of the async lane; calls wait for one.",
    )

    start_serving(start, "gpu,licence")
    assert turn.gather(timeout=30)[0].content == 7


def test_a_worker_serves_all_its_queues(dispatcher: Dispatcher, start: Start) -> None:
    """One process may stand for several kinds of machine."""
    start_serving(start, "gpu,default")
    calls = [ToolCall("i", "render_image", {"number": 7}), ToolCall("w", "count_words", {})]

    results = dispatcher.dispatch(calls).gather(timeout=30)

    assert [result.is_error for result in results] == [False, False]


def test_an_interactive_call_passes_a_flood_of_bulk_calls(
    dispatcher: Dispatcher, start: Start
) -> None:
    """It gets one of the next free slots, not the last."""
    bulk = [ToolCall(f"b{n}", "count_words", {}) for n in range(500)]
    flood = dispatcher.dispatch(bulk, priority=Priority.BULK)
    urgent = dispatcher.dispatch([ToolCall("i", "count_words", {})], priority=Priority.INTERACTIVE)
    start_serving(start, "default", concurrency=1)

    (result,) = urgent.gather(timeout=60)
    started = result.started_at or 0.0
    before = [one for one in flood.gather(timeout=60) if (one.started_at or 0.0) < started]

    assert len(before) <= 2


@pytest.mark.parametrize("queues", ["GPU box", "a..b", "gpu,", "x" * 41])
def test_a_queue_name_with_odd_characters_is_refused(queues: str) -> None:
    """The sentence names the queue and what it may hold."""
    with pytest.raises(ConfigurationError, match="must be 1 to 40 of a-z, 0-9, _ and -"):
        queues_from(queues, (), {})


def test_a_worker_of_a_queue_that_cannot_be_does_not_start(settings: Settings) -> None:
    """It says so in one line."""
    done = run_in_vain(command(Lane.ASYNC, tools=__name__, queues="gpu,"), settings)

    assert done.returncode == 2
    assert "must be 1 to 40 of a-z, 0-9, _ and -" in last_line(done)


def test_celerys_own_option_for_queues_is_refused(settings: Settings) -> None:
    """It would have the worker wait at a queue where nothing ever comes."""
    done = run_in_vain([*command(Lane.ASYNC, tools=__name__), "--queues", "gpu"], settings)

    assert done.returncode == 2
    assert "--serve" in last_line(done)
