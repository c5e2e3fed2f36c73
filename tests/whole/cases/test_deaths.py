"""Cases 25, 26 and 35: handlers that die, hang, or commit and do not hear of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from celery.concurrency import get_implementation

from tests.whole.cases.conftest import Gather
from tests.whole.cases.scenario import journal, load_case, word_of
from tests.worker.running import RunningWorker
from toolferry import ConfigurationError, Lane, Outcome, ToolCall, render
from toolferry_dispatcher import Dispatcher
from toolferry_worker.application import lane_of

DEATHS = ["SIGKILL", "SIGABRT", "SIGSEGV", "exit"]


def test_a_call_that_kills_its_process_ends_after_its_attempts(
    gather: Gather, tmp_path: Path
) -> None:
    """Case 25: each way to die takes its attempts and no more; siblings and worker live."""
    _, expect = load_case("25a-sigkill-poison")
    path = tmp_path / "journal"
    poison = [("die", {"journal": str(path), "how": how}) for how in DEATHS]

    *dead, sibling = gather(*poison, ("live", {"text": "well"}))
    after = gather(("live", {"text": "still here"}))

    for at, result in enumerate(dead):
        runs = [line for line in journal(path) if line[0] == f"c{at}"]
        assert len(runs) == result.attempts == expect["attempts"]
        assert word_of(result) == expect["outcome"]
    assert word_of(sibling) == expect["sibling_outcome"]
    assert (after[0].content == "still here") is expect["worker_alive"]  # no other could run it


def test_a_write_that_kills_its_process_is_not_run_again(gather: Gather, tmp_path: Path) -> None:
    """Case 25: one run, and the model reads that nobody knows what came of it."""
    _, expect = load_case("25b-sigkill-poison")
    path = tmp_path / "journal"

    (result,) = gather(("write_and_die", {"journal": str(path)}))

    assert len(journal(path)) == expect["counter"]
    assert (word_of(result), result.outcome) == (expect["outcome"], Outcome.LOST)
    assert "It may or may not have happened." in render(result)


@pytest.mark.parametrize("swallow", ["Exception", "BaseException"])
def test_a_handler_that_swallows_its_limit_times_out(gather: Gather, swallow: str) -> None:
    """Case 26: one result, at the limit, and the worker goes on."""
    _, expect = load_case("26a-time-limits")

    results = gather(("deaf", {"swallow": swallow}))
    after = gather(("live", {"text": "still here"}))

    assert [word_of(result) for result in results] == [expect["outcome"]] * expect["results"]
    # From its start: before that it may wait for the child in place of one that a test has killed.
    assert results[0].started_at is not None
    assert results[0].finished_at - results[0].started_at < expect["within_seconds"]
    assert (after[0].content == "still here") is expect["worker_alive"]  # no other could run it


def test_a_pool_that_cannot_stop_a_handler_is_refused() -> None:
    """Case 26: no worker starts on it, which is more than a warning."""
    scenario, _ = load_case("26b-time-limits")

    with pytest.raises(ConfigurationError, match="thread runs no lane"):
        lane_of(get_implementation(scenario["pool"]))


def test_a_late_result_is_recorded_and_not_delivered(
    dispatcher: Dispatcher, lanes: Mapping[Lane, RunningWorker]
) -> None:
    """Case 26: the answer at the limit stays the answer."""
    scenario, expect = load_case("26b-time-limits")
    call = ToolCall("c0", "late", {"seconds": scenario["timeout"] + 1.5})
    turn = dispatcher.dispatch([call])

    (result,) = turn.gather(timeout=60)
    ended = lanes[Lane.ASYNC].wait_for("attempt.ended_late", tool="late")

    assert word_of(result) == expect["outcome"]
    assert result.finished_at - result.requested_at < expect["within_seconds"]
    assert ended["call_id"] == "c0"
    assert dispatcher.attach(turn.turn_id).gather() == [result]


def test_a_write_that_failed_after_its_commit_is_not_run_again(
    gather: Gather, tmp_path: Path
) -> None:
    """Case 35: an error of the handler does not say that nothing happened."""
    _, expect = load_case("35a-side-effect-twice")
    path = tmp_path / "journal"

    (result,) = gather(("pay", {"journal": str(path)}))

    assert len(journal(path)) == expect["commits"]
    assert word_of(result) == expect["outcome"]
    assert "It may or may not have happened." in render(result)


def test_an_idempotent_write_has_one_key_on_all_attempts(gather: Gather, tmp_path: Path) -> None:
    """Case 35: and another call with the same arguments has another."""
    _, expect = load_case("35b-side-effect-twice")
    paths = [tmp_path / name for name in ("first", "second")]

    results = gather(*(("pay_by_key", {"journal": str(path)}) for path in paths))

    for path, result in zip(paths, results, strict=True):
        assert len({key for (key,) in journal(path)}) == expect["distinct_keys"]
        assert len(journal(path)) == result.attempts == expect["attempts"]
        assert word_of(result) == expect["outcome"]
    assert journal(paths[0])[0] != journal(paths[1])[0]
