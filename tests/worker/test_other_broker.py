"""A broker that is not the ledger's server: notices go through kombu, with the same guarantees."""

from __future__ import annotations

from dataclasses import replace

import pytest
import redis

from tests.worker.caller import TOOLS
from tests.worker.running import RunningWorker
from toolferry import Lane, Outcome, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Pool, Route, Settings, queue_name


@pytest.fixture
def elsewhere(settings: Settings) -> Settings:
    """Give a system whose queues are in another database, which no script of the ledger reaches."""
    assert "db=0" in settings.url
    return replace(settings, broker_url=settings.url.replace("db=0", "db=1"))


def test_turns_run_over_another_broker(elsewhere: Settings) -> None:
    """More calls than the window, in both lanes, with retries: all are rung, and all come back."""
    workers = [RunningWorker(elsewhere, lane, concurrency=2) for lane in Lane]
    for worker in workers:
        worker.ready()
    calls = [ToolCall(f"e{n}", "echo", {"text": str(n)}) for n in range(20)]
    calls += [ToolCall(f"a{n}", "add", {"left": n}) for n in range(20)]
    calls.append(ToolCall("third", "third_time", {}))

    with Dispatcher(TOOLS, elsewhere) as dispatcher:
        results = dispatcher.dispatch(calls).gather(timeout=60)
    for worker in workers:
        worker.stop()

    assert {result.outcome for result in results} == {Outcome.SUCCEEDED}
    assert [result.call_id for result in results] == [call.call_id for call in calls]
    assert [result.content for result in results[20:40]] == [n + 1 for n in range(20)]


def test_nothing_is_left_on_the_ledgers_own_queues(
    elsewhere: Settings, client: redis.Redis
) -> None:
    """A script publishes nothing where no worker would look."""
    with Dispatcher(TOOLS, elsewhere) as dispatcher:
        dispatcher.dispatch([ToolCall("c", "echo", {"text": "x"})])

    assert client.llen(queue_name(elsewhere.namespace, Route(Pool(Lane.ASYNC)))) == 0
