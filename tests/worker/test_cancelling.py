"""Cancelling calls that run: their worker stops them, and no other call with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.waiting import wait_until
from tests.worker import tools_cancelling
from tests.worker.caller import Caller, wait_running
from tests.worker.running import RunningWorker, Start
from toolferry import Effect, Lane, Outcome, Registry, ToolResult
from toolferry_ledger import Bell, Canceller, Keeping, Settings, Signer, Withdrawal
from toolferry_ledger.server import Served

TOOLS = Registry.from_module(tools_cancelling)
TOOLS_MODULE = tools_cancelling.__name__
SUFFIXES = pytest.mark.parametrize("suffix", ["_loop", ""], ids=["async", "process"])
LANES = pytest.mark.parametrize(
    ("lane", "suffix"), [(Lane.ASYNC, "_loop"), (Lane.PROCESS, "")], ids=["async", "process"]
)


@pytest.fixture(scope="module")
def crew(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    """Run a worker of each lane for all tests that do not harm them, and give their caller."""
    settings = Settings(
        url=server.url,
        secret=server.secret.encode(),
        namespace="order-tests",
        home=tmp_path_factory.mktemp("orders"),
    )
    workers = [RunningWorker(settings, lane, 3, tools=TOOLS_MODULE).ready() for lane in Lane]
    caller = Caller(settings, TOOLS)
    yield caller
    caller.close()
    for worker in workers:
        worker.stop()


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Give the settings of a system in which a dead worker is noticed soon."""
    return replace(settings, keeping=Keeping(lease=1.0))


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the tools that can be cancelled, on a system without workers."""
    caller = Caller(settings, TOOLS)
    yield caller
    caller.close()


def working(start: Start, lane: Lane, concurrency: int = 2) -> RunningWorker:
    """Run a worker of the test's own system that stops at once when it is told to."""
    soon = {"TOOLFERRY_DRAIN_SECONDS": "0.5"}
    return start(lane, concurrency=concurrency, tools=TOOLS_MODULE, environment=soon).ready()


def cancel(caller: Caller, turn_id: str, count: int = 1, reason: str = "") -> list[Withdrawal]:
    """Cancel the first calls of a turn and give what became of each."""
    settings = caller.settings
    canceller = Canceller(caller.ledger, Bell(settings), Signer(settings.secret))
    keys = [f"{turn_id}:{position}" for position in range(count)]
    return list(canceller.cancel(keys, reason).values())


def cancelled_while_running(caller: Caller, folder: str, name: str) -> ToolResult:
    """Cancel a call once its handler has begun, and give its result."""
    turn_id = caller.submit((name, {"folder": folder}))
    wait_running(folder, "c0.1")
    assert cancel(caller, turn_id, reason="the user left") == [Withdrawal.STOPPING]
    return caller.wait(turn_id, 1)[0]


@SUFFIXES
def test_a_handler_that_stops_ends_as_cancelled(crew: Caller, folder: str, suffix: str) -> None:
    """With the reason, after one attempt; a read has had no effect."""
    result = cancelled_while_running(crew, folder, f"obey{suffix}")

    assert (result.outcome, result.effect) == (Outcome.CANCELLED, Effect.NONE)
    assert result.attempts == 1
    assert result.error is not None
    assert result.error.message.endswith("was cancelled after it had been started: the user left.")


@SUFFIXES
def test_a_write_that_stops_may_have_had_its_effect(crew: Caller, folder: str, suffix: str) -> None:
    """The model is told so."""
    result = cancelled_while_running(crew, folder, f"write{suffix}")

    assert (result.outcome, result.effect) == (Outcome.CANCELLED, Effect.POSSIBLE)
    assert result.error is not None
    assert "It may or may not have had its effect." in result.error.message


@SUFFIXES
def test_a_write_that_says_it_did_nothing_had_no_effect(
    crew: Caller, folder: str, suffix: str
) -> None:
    """A handler knows what it has undone."""
    result = cancelled_while_running(crew, folder, f"undo{suffix}")

    assert (result.outcome, result.effect) == (Outcome.CANCELLED, Effect.NONE)
    assert result.error is not None
    assert "may or may not" not in result.error.message


@SUFFIXES
def test_a_handler_that_ends_well_all_the_same_has_succeeded(
    crew: Caller, folder: str, suffix: str
) -> None:
    """The first end wins."""
    result = cancelled_while_running(crew, folder, f"finish{suffix}")

    assert (result.outcome, result.content) == (Outcome.SUCCEEDED, "done all the same")


@SUFFIXES
def test_a_handler_that_fails_on_the_way_is_not_tried_again(
    crew: Caller, folder: str, suffix: str
) -> None:
    """Whatever its retry policy says."""
    result = cancelled_while_running(crew, folder, f"stumble{suffix}")

    assert (result.outcome, result.attempts) == (Outcome.CANCELLED, 1)


def test_a_deaf_handler_of_the_async_lane_keeps_its_slot(
    caller: Caller, start: Start, folder: str
) -> None:
    """Its call has ended; the next one begins when it really has ended itself."""
    worker = working(start, Lane.ASYNC, concurrency=1)

    result = cancelled_while_running(caller, folder, "deaf_loop")
    next_id = caller.submit(("echo_loop", {"text": "next"}))
    worker.wait_for("attempt.stuck")
    waiting = caller.ledger.results(next_id, [0])
    Path(folder, "go").touch()

    assert result.outcome is Outcome.CANCELLED
    assert waiting == {}
    assert caller.wait(next_id, 1)[0].content == "next"


@pytest.mark.slow
def test_a_call_that_blocks_the_loop_ends_all_the_same(
    caller: Caller, start: Start, folder: str
) -> None:
    """A thread tells it, and what the handler returns at last changes nothing."""
    worker = working(start, Lane.ASYNC)

    result = cancelled_while_running(caller, folder, "block_loop")
    Path(folder, "go").touch()
    again = caller.run(("echo_loop", {"text": "again"}))
    worker.stop()

    assert result.outcome is Outcome.CANCELLED
    assert again[0].content == "again"


def test_a_deaf_handler_of_the_process_lane_is_killed(crew: Caller, folder: str) -> None:
    """And its slot works again, while the call beside it goes on."""
    other = crew.submit(("echo", {"text": "other"}), ("obey", {"folder": folder}))
    wait_running(folder, "c1.1")

    result = cancelled_while_running(crew, folder, "deaf")
    again = crew.run(*[("echo", {"text": "again"})] * 3)
    Path(folder, "go").touch()

    assert result.outcome is Outcome.CANCELLED
    assert [one.content for one in again] == ["again"] * 3
    assert [one.content for one in crew.wait(other, 2)] == ["other", "done"]


@pytest.mark.slow
@LANES
def test_a_cancelled_call_is_not_given_back_when_its_worker_stops(
    caller: Caller, start: Start, folder: str, lane: Lane, suffix: str
) -> None:
    """Another worker does not start it again."""
    worker = working(start, lane)
    turn_id = caller.submit((f"deaf{suffix}", {"folder": folder}))
    wait_running(folder, "c0.1")

    cancel(caller, turn_id)
    worker.stop()
    working(start, lane)

    assert caller.wait(turn_id, 1)[0].outcome is Outcome.CANCELLED
    assert caller.run((f"echo{suffix}", {"text": "x"}))[0].content == "x"
    assert not Path(folder, "c0.2").exists()


@pytest.mark.slow
@LANES
def test_a_cancelled_call_whose_worker_dies_is_not_run_again(
    caller: Caller, start: Start, folder: str, lane: Lane, suffix: str
) -> None:
    """The mark outlives its worker."""
    worker = working(start, lane)
    turn_id = caller.submit((f"deaf{suffix}", {"folder": folder}))
    wait_running(folder, "c0.1")

    cancel(caller, turn_id)
    worker.kill()
    working(start, lane)

    assert caller.wait(turn_id, 1)[0].outcome is Outcome.CANCELLED
    assert not Path(folder, "c0.2").exists()


@SUFFIXES
def test_a_lost_order_is_given_again(
    crew: Caller, folder: str, client: redis.Redis, suffix: str
) -> None:
    """The mark in the record is what counts."""
    turn_id = crew.submit((f"obey{suffix}", {"folder": folder}))
    wait_running(folder, "c0.1")
    prefix = crew.settings.key_prefix

    client.hset(f"{prefix}call:{turn_id}:0", "cancel", "lost")
    client.zadd(f"{prefix}cancelling", {f"{turn_id}:0": 1})

    assert crew.wait(turn_id, 1)[0].outcome is Outcome.CANCELLED


@LANES
def test_queued_calls_never_start(
    caller: Caller, start: Start, folder: str, lane: Lane, suffix: str
) -> None:
    """Those behind a call that holds the only slot, wherever their notices are by then."""
    working(start, lane, concurrency=1)
    turn_id = caller.submit(*[(f"obey{suffix}", {"folder": folder})] * 10)
    begun: Any = wait_until(lambda: list(Path(folder).glob("c*.1")), "the first attempt")

    became = cancel(caller, turn_id, 10)
    results = caller.wait(turn_id, 10)

    assert len(begun) == 1
    assert sorted(became).count(Withdrawal.CANCELLED) == 9
    assert {one.outcome for one in results} == {Outcome.CANCELLED}
    assert [one.name for one in Path(folder).iterdir()] == [begun[0].name]
