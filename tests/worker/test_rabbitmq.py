"""RabbitMQ carries the notices, the ledger stays on Redis: the same promises hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from kombu import Connection

from tests.rabbit import OwnRabbit, find_rabbit
from tests.worker.caller import TOOLS, Caller, outcomes, wait_running
from tests.worker.running import Start
from toolferry import Lane, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Bell, Pool, Route, Settings, queue_name

_PROGRAM = find_rabbit()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(_PROGRAM is None, reason="there is no RabbitMQ server on this machine"),
]


@pytest.fixture(scope="module")
def rabbit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnRabbit]:
    """Run one RabbitMQ for all tests here."""
    with ExitStack() as stack:
        started = OwnRabbit(_PROGRAM or "", tmp_path_factory.mktemp("rabbit"))
        stack.callback(started.stop)
        yield started.ready()


@pytest.fixture
def settings(settings: Settings, rabbit: OwnRabbit) -> Settings:
    """Give a system whose notices go through RabbitMQ."""
    return replace(settings, broker_url=rabbit.url)


def purge(settings: Settings, lane: Lane) -> int:
    """Delete all notices of a lane; give how many there were."""
    with Connection(settings.kombu_url) as connection:
        name = queue_name(settings.namespace, Route(Pool(lane)))
        channel: Any = connection.default_channel
        return int(channel.queue_purge(name))


def test_turns_run_in_both_lanes(settings: Settings, start: Start) -> None:
    """More calls than the window, with retries: all are rung, and all come back in order."""
    for lane in Lane:
        start(lane, concurrency=2).ready()
    calls = [ToolCall(f"e{n}", "echo", {"text": str(n)}) for n in range(40)]
    calls += [ToolCall(f"a{n}", "add", {"left": n}) for n in range(20)]
    calls.append(ToolCall("third", "third_time", {}))

    with Dispatcher(TOOLS, settings) as dispatcher:
        results = dispatcher.dispatch(calls).gather(timeout=60)

    assert set(outcomes(results)) == {"succeeded"}
    assert [result.call_id for result in results] == [call.call_id for call in calls]


def test_deleted_notices_are_rung_again(settings: Settings, caller: Caller, start: Start) -> None:
    """A queue that somebody purged heals by itself, once a worker's reaper looks."""
    turn_id = caller.submit(*[("add", {"left": n}) for n in range(3)])
    deleted = purge(settings, Lane.PROCESS)
    start(Lane.PROCESS, concurrency=2).ready()

    results = caller.wait(turn_id, 3)

    assert deleted == 3
    assert outcomes(results) == ["succeeded"] * 3


def test_calls_of_a_killed_worker_run_elsewhere(caller: Caller, start: Start, folder: str) -> None:
    """What ran is run again if it may be, and what it had taken without running it comes back."""
    victims = [start(lane, concurrency=2).ready() for lane in Lane]
    turn_id = caller.submit(
        ("held", {"folder": folder}),
        ("held_loop", {"folder": folder}),
        ("held_write", {"folder": folder}),
        *[("add", {"left": n}) for n in range(4)],
    )
    wait_running(folder, "c0.1", "c1.1", "c2.1")
    for victim in victims:
        victim.kill()
    for lane in Lane:
        start(lane, concurrency=2)

    results = caller.wait(turn_id, 7)

    assert outcomes(results) == ["succeeded", "succeeded", "lost", *["succeeded"] * 4]


def test_a_queue_that_is_not_there_is_empty_and_harms_nothing(settings: Settings) -> None:
    """RabbitMQ closes a channel that asks for it; the bell goes on ringing over another."""
    bell = Bell(settings)

    depths = [bell.depth(Route(Pool(Lane.ASYNC, "nowhere"))) for _ in range(2)]
    bell.close()

    assert depths == [0, 0]


def test_a_broker_that_is_gone_holds_up_nobody(settings: Settings, start: Start) -> None:
    """A turn is taken while RabbitMQ is away, and its notices go out when it is back."""
    with ExitStack() as stack:
        away = replace(settings, broker_url="amqp://guest:guest@127.0.0.1:1//")
        dispatcher = stack.enter_context(Dispatcher(TOOLS, away))
        turn = dispatcher.dispatch([ToolCall("a", "add", {"left": 1})])
        start(Lane.PROCESS, concurrency=2).ready()

        results = turn.gather(timeout=60)

    assert outcomes(results) == ["succeeded"]
