"""The verdicts: each finds what it is for, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chaos.history import Call, Got, History
from chaos.run import tools_by_name
from chaos.verdicts import examine
from tests.chaos.histories import attempt, call, history, turn

TOOLS = tools_by_name()


def found(run: History) -> list[tuple[str, str]]:
    """Give the figure and the call of each violation."""
    return [(one.kind, one.key) for one in examine(run, TOOLS)]


def harmed(harm: Callable[[Call], Any], tool: str = "look") -> History:
    """Write a run of one call, and do something to it."""
    one = call(tool, attempt(1, 2), effect="none" if tool == "look" else "committed")
    run = history(turn(0, one))
    harm(one)
    return run


def _other_result(one: Call) -> None:
    one.got.append(Got("succeeded", "none", 1, "", "another", "b"))
    one.messages["b"] = 1


def test_a_run_in_which_all_went_well_is_clean() -> None:
    """Also one in which calls were repeated that may be."""
    run = history(
        turn(0, call("look", attempt(1, None, died=1.5), attempt(2, 3, number=2), attempts=2)),
        turn(1, call("charge", attempt(1, None, died=2), outcome="lost", effect="possible")),
        turn(2, call("charge", outcome="timed_out", attempts=0, code="timeout")),
    )

    assert found(run) == []


@pytest.mark.parametrize(
    ("harm", "figures"),
    [
        (lambda one: one.messages.update(a=0), ["lost_calls"]),
        (lambda one: one.messages.update(a=2), ["lost_calls"]),
        (lambda one: one.messages.clear(), ["lost_calls"]),
        (_other_result, ["double_results"]),
        (lambda one: one.attempts.clear(), ["untrue"]),
    ],
)
def test_what_is_wrong_with_a_read_is_found(
    harm: Callable[[Call], Any], figures: list[str]
) -> None:
    """None or two messages, two results, a success that never ended."""
    assert found(harmed(harm)) == [(figure, "s0-0:0") for figure in figures]


def test_a_call_that_was_never_promised_is_not_judged() -> None:
    """Its dispatcher was never told that the turn was taken."""
    one = turn(0, call("look"))
    one.promised = None

    assert found(history(one)) == []


def test_a_second_start_of_what_must_not_be_repeated_is_found() -> None:
    """Unless the handler gave its word that the first attempt did nothing."""
    again = attempt(3, 4, number=2)
    bad = turn(0, call("charge", attempt(1, None), again, effect="committed", attempts=2))
    refused = attempt(1, 2, how="refused")
    good = turn(1, call("charge_later", refused, attempt(3, 4), effect="committed", attempts=2))

    assert found(history(bad, good)) == [("double_effects_non_repeatable", "s0-0:0")]


def test_a_call_that_only_its_deadline_ended_was_stuck() -> None:
    """It has a result, but nobody brought it on."""
    run = history(turn(0, call("look", outcome="timed_out", code="deadline", attempts=0)))

    assert found(run) == [("stuck", "s0-0:0")]


def test_a_turn_that_was_never_complete_is_lost_and_stuck() -> None:
    """Nobody could gather it."""
    one = call("look", attempt(1, 2))
    one.got, one.messages = [], {}
    whole = turn(0, one)
    whole.gatherers = []

    assert found(history(whole)) == [("lost_calls", "s0-0:0"), ("stuck", "s0-0:0")]


@pytest.mark.parametrize(
    "one",
    [
        call("charge", attempt(1, None, died=2), outcome="lost", effect="none"),
        call("charge", attempt(1, 2), outcome="failed", effect="possible", attempts=0),
        call("look", attempt(1, 2, idempotency_key="x"), attempt(3, 4, idempotency_key="y")),
    ],
)
def test_a_result_that_the_journal_denies_is_found(one: Call) -> None:
    """No effect although a handler was at work, no attempt although one was, two identities."""
    kinds = {kind for kind, _ in found(history(turn(0, one)))}

    assert "untrue" in kinds


def test_an_idempotency_key_belongs_to_one_call() -> None:
    """Two calls with the same one are found."""
    run = history(
        turn(0, call("look", attempt(1, 2, idempotency_key="x"))),
        turn(1, call("look", attempt(1, 2, idempotency_key="x"))),
    )

    assert found(run) == [("untrue", "s0-1:0")]


def test_a_process_that_ended_by_itself_is_found() -> None:
    """Nobody had asked it to."""
    run = history(faults=[{"what": "exit", "at": 1.0, "name": "worker-async-0", "code": 1}])

    assert found(run) == [("crashed", "worker-async-0")]


def test_a_process_that_did_not_end_when_it_was_asked_to_is_found() -> None:
    """It had to be killed."""
    run = history(faults=[{"what": "hung", "at": 1.0, "name": "worker-process-1"}])

    assert found(run) == [("hung", "worker-process-1")]
