"""Fan-out: independent calls run at the same time."""

from __future__ import annotations

import asyncio
import sys

from tests.worker.running import RunningWorker
from toolferry import Lane, Outcome, Registry, ToolCall, tool
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings


@tool
async def wait_half_a_second(number: int) -> int:
    """Wait."""
    await asyncio.sleep(0.5)
    return number


def test_a_hundred_calls_run_at_the_same_time(settings: Settings) -> None:
    """All have started before the first one has ended, by the server's clock."""
    worker = RunningWorker(settings, Lane.ASYNC, tools=__name__).ready()
    calls = [ToolCall(str(n), wait_half_a_second.name, {"number": n}) for n in range(100)]
    with Dispatcher(Registry([wait_half_a_second]), settings) as dispatcher:
        results = dispatcher.dispatch(calls).gather(timeout=30)
    worker.stop()

    assert {result.outcome for result in results} == {Outcome.SUCCEEDED}
    assert [result.content for result in results] == list(range(100))
    last_start = max(result.started_at or sys.maxsize for result in results)
    assert last_start < min(result.finished_at for result in results)
