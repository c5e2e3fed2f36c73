"""What `toolferry run` tells scripts: the object and the exit code."""

from __future__ import annotations

import pytest

from toolferry import CallError, Effect, ErrorCode, Outcome, ToolResult
from toolferry_console.exit_codes import ExitCode
from toolferry_console.report import (
    Report,
    duration_seconds,
    queued_seconds,
)
from toolferry_dispatcher import TurnState

SUCCEEDED = ToolResult(
    call_id="call_1",
    name="add",
    outcome=Outcome.SUCCEEDED,
    effect=Effect.NONE,
    content={"sum": 3},
    attempts=2,
    requested_at=100.0,
    started_at=100.25,
    finished_at=101.0,
)
REFUSED = ToolResult(
    call_id="call_2",
    name="add",
    outcome=Outcome.FAILED,
    effect=Effect.NONE,
    error=CallError.of(ErrorCode.SCHEMA, "a is missing"),
    requested_at=100.0,
    finished_at=100.0,
)


def a_report(state: TurnState, *results: ToolResult, approvals_pending: bool = False) -> Report:
    """Build a report of a turn."""
    return Report(turn_id="t1", state=state, results=results, approvals_pending=approvals_pending)


def test_the_object_has_the_agreed_keys() -> None:
    """Scripts rely on these keys and no others."""
    data = a_report(TurnState.COMPLETE, SUCCEEDED).to_json()

    assert list(data) == ["schema_version", "turn_id", "state", "results", "messages"]
    assert data["results"] == [
        {
            "call_id": "call_1",
            "name": "add",
            "outcome": "succeeded",
            "effect": "none",
            "attempts": 2,
            "duration_seconds": 0.75,
            "queued_seconds": 0.25,
            "content": {"sum": 3},
            "view": '{"sum": 3}',
            "truncated": False,
            "error": None,
        }
    ]


def test_an_error_is_told_with_its_code_and_advice() -> None:
    """A call that did not succeed says why, as the model was told."""
    [result] = a_report(TurnState.COMPLETE, REFUSED).to_json()["results"]

    assert result["error"]["code"] == "schema"
    assert set(result["error"]) == {"code", "message", "retryable", "suggestion"}


def test_a_call_that_never_started_ran_for_no_time() -> None:
    """A refusal has neither run nor waited."""
    assert (duration_seconds(REFUSED), queued_seconds(REFUSED)) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (a_report(TurnState.COMPLETE, SUCCEEDED), ExitCode.OK),
        (a_report(TurnState.FINAL), ExitCode.OK),
        (a_report(TurnState.COMPLETE, SUCCEEDED, REFUSED), ExitCode.NOT_ALL_SUCCEEDED),
        (a_report(TurnState.DEGENERATE), ExitCode.NOT_ALL_SUCCEEDED),
        (a_report(TurnState.INCOMPLETE, REFUSED), ExitCode.NOT_ALL_SUCCEEDED),
        (a_report(TurnState.PENDING, SUCCEEDED), ExitCode.NOT_ALL_SUCCEEDED),
        (a_report(TurnState.PENDING, approvals_pending=True), ExitCode.APPROVALS_PENDING),
    ],
)
def test_the_exit_code_follows_from_the_turn(report: Report, code: ExitCode) -> None:
    """0 for success or an answer, 1 for anything else that ended or is open, 3 for approvals."""
    assert report.exit_code is code
