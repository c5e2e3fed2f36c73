"""Handlers that outlive their limit: told in time, and nothing of them is left."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.worker import tools_limits
from tests.worker.caller import Caller, outcomes, wait_running
from tests.worker.processes import is_alive
from tests.worker.running import RunningWorker, Start
from tests.worker.tools_limits import LIMIT
from toolferry import CallState, Lane, Registry
from toolferry_ledger import Settings

TOOLS = Registry.from_module(tools_limits)
#: Seconds after a limit in which its passing has to be recorded.
PROMISED = 1.0
#: Seconds that a machine with much else to do may add.
LEEWAY = 1.0

#: Two of them say enough for the quick tests.
QUICK, SLOW = ["spin_child", "hold_child"], ["sleep_child", "deaf_child"]
PROCESS = [*QUICK, *SLOW]
#: Those of one list are tried on one worker; one that keeps the loop has its worker replaced.
LOOP = [["await_loop", "ignore_loop"], ["block_loop"], ["spin_loop"]]


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the tools that outlive their limit."""
    caller = Caller(settings, TOOLS)
    yield caller
    caller.close()


def working(
    start: Start, lane: Lane, concurrency: int = 2, environment: dict[str, str] | None = None
) -> RunningWorker:
    """Run a worker that has these tools."""
    worker = start(
        lane, concurrency=concurrency, tools=tools_limits.__name__, environment=environment
    )
    return worker.ready()


def arguments_of(name: str) -> dict[str, float]:
    """Give the arguments of a tool that takes for ever."""
    return {"seconds": 600} if name == "ignore_loop" else {}


def lateness(caller: Caller, turn_id: str, index: int = 0) -> float:
    """Wait for the end of a call and give the seconds from its limit to its record."""
    found = wait_until(lambda: caller.ledger.results(turn_id, [index]), "the result")
    seen_at = caller.ledger.now()
    result = caller.wait(turn_id, index + 1)[index]
    assert found
    assert result.outcome.value == "timed_out"
    assert result.started_at is not None
    late = seen_at - result.started_at - LIMIT
    print(f"recorded {late:.2f} s after the limit")  # noqa: T201 -- shown with -s, for the docs
    return late


@pytest.mark.parametrize("names", [QUICK, pytest.param(SLOW, marks=pytest.mark.slow)])
def test_a_child_is_ended_at_its_limit_and_its_slot_works_again(
    caller: Caller, start: Start, names: list[str]
) -> None:
    """Whether it sleeps, computes or holds the interpreter."""
    worker = working(start, Lane.PROCESS, concurrency=1)

    for name in names:
        turn_id = caller.submit((name, {}))

        late = lateness(caller, turn_id)
        told_at = time.monotonic()
        results = caller.run(("echo_child", {}))

        assert late < PROMISED + LEEWAY
        assert outcomes(results) == ["succeeded"]
        assert time.monotonic() - told_at < 3.0 + LEEWAY
    assert worker.stop() == 0


def test_nothing_of_an_ended_child_is_left(caller: Caller, start: Start, folder: str) -> None:
    """Neither what it has started, nor what leads a session of its own."""
    working(start, Lane.PROCESS)
    turn_id = caller.submit(("leave_behind", {"folder": folder}))
    wait_until(Path(folder, "ready").exists, "the processes")
    started = [int(Path(folder, name).read_text("ascii")) for name in ("group", "session")]
    before = [is_alive(pid) for pid in started]

    caller.wait(turn_id, 1)

    assert before == [True, True]
    wait_until(lambda: not any(map(is_alive, started)), "the end of what it has started")


@pytest.mark.parametrize("names", LOOP)
def test_a_handler_of_the_loop_is_told_at_its_limit(
    caller: Caller, start: Start, names: list[str]
) -> None:
    """Whether it awaits, ignores its cancellation, or blocks the loop; the next call runs."""
    working(start, Lane.ASYNC)

    for name in names:
        turn_id = caller.submit((name, arguments_of(name)))

        late = lateness(caller, turn_id)
        results = caller.run(("echo_loop", {}))

        assert late < PROMISED + LEEWAY
        assert outcomes(results) == ["succeeded"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["block_loop", "spin_loop"])
def test_a_worker_whose_loop_is_blocked_gives_the_others_back_and_becomes_a_new_one(
    caller: Caller, start: Start, folder: str, name: str
) -> None:
    """In the same process, without anybody's help; a call that was over its limit is told too."""
    worker = working(start, Lane.ASYNC, concurrency=8)
    others = caller.submit(("wait_loop", {"folder": folder}), ("await_loop", {}))
    wait_running(folder, "c0.1")
    blocking = caller.submit((name, {}))

    late = [lateness(caller, blocking), lateness(caller, others, index=1)]
    replaced = worker.wait_for("worker.replaced")
    results = caller.wait(others, 2)

    assert max(late) < PROMISED + LEEWAY
    assert replaced["reason"] == f"{name} holds the event loop after its limit"
    assert [result.content for result in results] == [2, None]
    assert caller.run(("echo_loop", {}))[0].content == worker.pid
    assert worker.stop() == 0


@pytest.mark.slow
def test_a_worker_with_many_stuck_handlers_becomes_a_new_one(
    caller: Caller, start: Start, folder: str
) -> None:
    """They are named and counted; what else runs has the usual grace."""
    worker = working(
        start,
        Lane.ASYNC,
        concurrency=4,
        environment={"TOOLFERRY_MAX_STUCK": "1", "TOOLFERRY_DRAIN_SECONDS": "0.2"},
    )
    stuck = caller.submit(*[("ignore_loop", {"seconds": 600})] * 2)
    other = caller.submit(("wait_loop", {"folder": folder}))
    wait_running(folder, "c0.1")

    told = worker.wait_for("attempt.stuck", stuck=2)
    replaced = worker.wait_for("worker.replaced")

    assert outcomes(caller.wait(stuck, 2)) == ["timed_out"] * 2
    assert told["tool"] == "ignore_loop"
    assert replaced["reason"] == "more than 1 handlers run on after their limit"
    assert caller.wait(other, 1)[0].content == 2


def test_a_late_result_changes_nothing(caller: Caller, start: Start) -> None:
    """It is told as late, and its slot is free only then."""
    worker = working(start, Lane.ASYNC, concurrency=1, environment={"TOOLFERRY_MAX_STUCK": "9"})
    turn_id = caller.submit(("ignore_loop", {"seconds": LIMIT + 1.5}))
    before = caller.wait(turn_id, 1)

    late = worker.wait_for("attempt.ended_late")

    assert (late["tool"], caller.wait(turn_id, 1)) == ("ignore_loop", before)
    assert outcomes(caller.run(("echo_loop", {}))) == ["succeeded"]


def test_a_worker_that_was_told_to_stop_is_not_replaced(caller: Caller, start: Start) -> None:
    """It reports the timeout while it drains, and ends."""
    worker = working(start, Lane.ASYNC)
    turn_id = caller.submit(("block_loop", {}))
    wait_until(lambda: caller.state(turn_id, 0) is CallState.RUNNING, "the call")
    worker.send(signal.SIGTERM)

    late = lateness(caller, turn_id)

    assert late < PROMISED + LEEWAY
    assert worker.ended() == 0


@pytest.mark.slow
def test_a_handler_that_holds_the_interpreter_is_settled_by_another_process(
    caller: Caller, start: Start, folder: str
) -> None:
    """Its worker is killed; its other calls run elsewhere."""
    worker = working(start, Lane.ASYNC, concurrency=8)
    others = caller.submit(("wait_loop", {"folder": folder}))
    wait_running(folder, "c0.1")
    turn_id = caller.submit(("hold_loop", {}))
    wait_until(lambda: caller.state(turn_id, 0) is CallState.RUNNING, "the call")

    late = lateness(caller, turn_id)
    code = worker.ended()
    working(start, Lane.ASYNC)

    assert late < 15
    assert code == -signal.SIGKILL
    assert caller.wait(others, 1)[0].content == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lane", "name"), [(Lane.ASYNC, "hold_loop_for"), (Lane.PROCESS, "hold_child_for")]
)
def test_an_interpreter_that_is_held_within_the_limit_is_left_alone(
    caller: Caller, start: Start, lane: Lane, name: str
) -> None:
    """For 20 s: the call ends well, on its first attempt, on the same worker."""
    worker = working(start, lane)

    results = caller.run((name, {"seconds": 20}))

    assert (outcomes(results), results[0].attempts) == (["succeeded"], 1)
    assert worker.stop() == 0


@pytest.mark.slow
def test_a_thread_that_never_ends_keeps_no_worker_from_ending(caller: Caller, start: Start) -> None:
    """Python itself would wait for it."""
    worker = working(start, Lane.ASYNC)
    caller.run(("thread_loop", {}))

    assert worker.stop() == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PROCESS, *chain(*LOOP)])
def test_the_limit_is_kept_while_the_worker_drains(caller: Caller, start: Start, name: str) -> None:
    """It is told in time, and the worker ends."""
    lane = Lane.PROCESS if name in PROCESS else Lane.ASYNC
    worker = working(start, lane, environment={"TOOLFERRY_DRAIN_SECONDS": "8"})
    turn_id = caller.submit((name, arguments_of(name)))
    wait_until(lambda: caller.state(turn_id, 0) is CallState.RUNNING, "the call")
    os.kill(worker.pid, signal.SIGTERM)

    late = lateness(caller, turn_id)

    assert late < PROMISED + LEEWAY
    assert worker.ended() == 0
