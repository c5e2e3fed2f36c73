"""Handlers of every behaviour on real workers: always a result, never a dead worker."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_until
from tests.worker.caller import Caller, wait_running
from tests.worker.running import RunningWorker
from tests.worker.tools_sample import SECRET
from toolferry import Effect, Lane, Outcome, ToolResult

#: One turn with all of them.
CALLS: dict[str, dict[str, Any]] = {
    "echo": {"text": "hi"},
    "add": {"left": 2},
    "where": {},
    "third_time": {},
    "again": {},
    "leak": {},
    "explain": {},
    "give_up": {},
    "leave": {},
    "leave_loop": {},
    "interrupt": {},
    "cancel_itself": {},
    "vanish": {},
    "vanish_after_write": {},
    "shout": {},
    "unspeakable": {},
    "flood": {},
    "flood_list": {},
    "deaf": {"seconds": 20},
    "overtime": {},
    "deaf_loop": {"seconds": 1.5},
    "sleepy": {},
    "elsewhere": {},
}


@pytest.fixture(scope="module")
def results(shared: Caller) -> dict[str, ToolResult]:
    """Run all calls in one turn and give their results by tool."""
    found = shared.run(*CALLS.items())
    return {result.name: result for result in found}


def code_of(result: ToolResult) -> str:
    """Give a result's error code."""
    assert result.error is not None
    return result.error.code


def test_an_async_handler_runs_on_the_loop(results: dict[str, ToolResult]) -> None:
    """What an async handler returns becomes the content."""
    result = results["echo"]

    assert (result.outcome, result.content) == (Outcome.SUCCEEDED, "hi")
    assert (result.attempts, result.effect) == (1, Effect.NONE)


def test_a_sync_handler_runs_in_a_child_with_defaults_filled_in(
    results: dict[str, ToolResult],
) -> None:
    """What the model leaves out has the signature's default."""
    assert results["add"].content == 3


def test_a_child_leads_its_own_process_group(results: dict[str, ToolResult]) -> None:
    """Killing a child's group reaches what its handler started, and nobody else."""
    content = results["where"].content

    assert content["group"] == content["pid"]


def test_a_handler_is_told_of_its_call(results: dict[str, ToolResult]) -> None:
    """The context is injected."""
    content = results["where"].content

    assert content["attempt"] == 1
    assert content["key"].endswith(":2")


def test_a_failing_attempt_is_tried_again(results: dict[str, ToolResult]) -> None:
    """Two failures, then a success: one result, three attempts."""
    assert (results["third_time"].content, results["third_time"].attempts) == (3, 3)


def test_a_handler_may_ask_for_another_attempt(results: dict[str, ToolResult]) -> None:
    """RetryCall leads to another attempt after the time that it names."""
    assert (results["again"].content, results["again"].attempts) == (2, 2)


def test_the_text_of_an_exception_never_reaches_the_model(results: dict[str, ToolResult]) -> None:
    """Of an exception the model reads its kind and a reference for the operators."""
    result = results["leak"]

    assert code_of(result) == "execution_failed"
    assert "RuntimeError" in str(result.error)
    assert SECRET not in str(result)


def test_the_text_of_a_tool_error_reaches_the_model(results: dict[str, ToolResult]) -> None:
    """ToolError is a handler's word to the model."""
    result = results["explain"]

    assert code_of(result) == "no_such_city"
    assert result.error is not None
    assert result.error.message == "There is no such city."


def test_a_handler_may_cancel_its_call(results: dict[str, ToolResult]) -> None:
    """CancelCall ends the call as cancelled."""
    assert results["give_up"].outcome is Outcome.CANCELLED


@pytest.mark.parametrize("tool", ["leave", "leave_loop", "interrupt", "cancel_itself"])
def test_a_base_exception_is_a_result(results: dict[str, ToolResult], tool: str) -> None:
    """SystemExit, KeyboardInterrupt and a handler's own CancelledError are plain failures."""
    assert (results[tool].outcome, code_of(results[tool])) == (Outcome.FAILED, "execution_failed")


def test_a_handler_that_kills_its_process_is_run_again(results: dict[str, ToolResult]) -> None:
    """The parent notices a dead child, and a call that may be repeated is."""
    assert (results["vanish"].content, results["vanish"].attempts) == (2, 2)


def test_a_write_whose_process_died_is_lost(results: dict[str, ToolResult]) -> None:
    """What may have happened and must not happen twice is not run again."""
    result = results["vanish_after_write"]

    assert (result.outcome, result.effect, result.attempts) == (Outcome.LOST, Effect.POSSIBLE, 1)
    assert code_of(result) == "worker_lost"


def test_a_handler_may_print_ten_megabytes(
    results: dict[str, ToolResult], lanes: dict[Lane, RunningWorker]
) -> None:
    """What is printed is caught and cut, and the call succeeds."""
    told = lanes[Lane.PROCESS].wait_for("handler.printed", tool="shout")

    assert results["shout"].outcome is Outcome.SUCCEEDED
    assert told["characters"] == 10_000_010
    assert len(told["text"]) == 65_536


def test_what_cannot_become_json_is_a_bad_result(results: dict[str, ToolResult]) -> None:
    """A handler that returns what cannot be written down gets its call refused, by type."""
    result = results["unspeakable"]

    assert code_of(result) == "bad_result"
    assert "NotJson" in str(result.error)


@pytest.mark.parametrize("tool", ["flood", "flood_list"])
def test_fifty_megabytes_do_not_go_through(results: dict[str, ToolResult], tool: str) -> None:
    """A huge result is cut or refused before it leaves the worker."""
    result = results[tool]

    assert result.truncated or code_of(result) == "result_too_large"
    assert len(str(result.content)) < 100_000


@pytest.mark.parametrize("tool", ["deaf", "overtime", "deaf_loop", "sleepy"])
def test_no_handler_outlives_its_limit(results: dict[str, ToolResult], tool: str) -> None:
    """Swallowing the soft limit or the cancellation changes nothing: the call timed out."""
    result = results[tool]

    assert (result.outcome, code_of(result)) == (Outcome.TIMED_OUT, "timeout")
    assert result.started_at is not None
    assert result.finished_at - result.started_at < 4.0


@pytest.mark.usefixtures("results")
def test_a_handler_that_ignores_its_cancellation_counts_as_stuck(
    lanes: dict[Lane, RunningWorker],
) -> None:
    """It was told of as timed out, and the log names it while it goes on."""
    told = lanes[Lane.ASYNC].wait_for("attempt.stuck", tool="deaf_loop")

    assert told["stuck"] == 1


def test_an_async_handler_may_run_in_a_process(
    results: dict[str, ToolResult], lanes: dict[Lane, RunningWorker]
) -> None:
    """A tool that says so runs in a child, whatever its handler is."""
    result = results["elsewhere"]

    assert result.outcome is Outcome.SUCCEEDED
    assert result.content not in {worker.pid for worker in lanes.values()}


def test_a_child_that_is_told_to_end_leaves_its_call_to_others(shared: Caller, folder: str) -> None:
    """SIGTERM is not an end that a handler chose: the call is run again."""
    turn_id = shared.submit(("held", {"folder": folder}))
    wait_running(folder, "c0.1")
    os.kill(int(Path(folder, "c0.1").read_text(encoding="utf-8")), signal.SIGTERM)

    (result,) = shared.wait(turn_id, 1)

    assert (result.content, result.attempts) == ("attempt 2", 2)


def test_a_task_that_a_handler_left_behind_cannot_end_the_loop(
    shared: Caller, lanes: dict[Lane, RunningWorker]
) -> None:
    """SystemExit from nowhere is logged, and other calls go on."""
    (bomb,) = shared.run(("time_bomb", {}))
    lanes[Lane.ASYNC].wait_for("loop.interrupted")

    (echo,) = shared.run(("echo", {"text": "still here"}))

    assert (bomb.content, echo.content) == ("left", "still here")


def test_a_changed_record_is_refused(shared: Caller) -> None:
    """Arguments that were changed in the server after they were signed are never run."""
    turn_id = shared.submit(
        ("echo", {"text": "hi"}),
        ("add", {"left": 1}),
        forge=lambda text: text.replace(b'"hi"', b'"ho"').replace(b'"left":1', b'"left":9'),
    )

    results = shared.wait(turn_id, 2)

    assert [code_of(result) for result in results] == ["untrusted", "untrusted"]
    assert [result.effect for result in results] == [Effect.NONE, Effect.NONE]


def test_arguments_are_checked_again_in_the_worker(shared: Caller) -> None:
    """A record that is genuine and does not fit the worker's schema is refused by every fault."""
    (result,) = shared.run(("echo", {"text": 7}))

    assert (result.outcome, code_of(result)) == (Outcome.FAILED, "schema")
    assert result.error is not None
    assert result.error.faults[0].path == "text"


def test_progress_reaches_the_ledger(shared: Caller, folder: str) -> None:
    """What a handler reports is there for watchers while the call runs."""
    turn_id = shared.submit(("report", {"folder": folder}))

    told = wait_until(lambda: shared.progress(turn_id, 0), "progress")
    Path(folder, "go").touch()

    assert (told["fraction"], told["message"]) == (0.5, "half way")
    assert shared.wait(turn_id, 1)[0].content == "done"
