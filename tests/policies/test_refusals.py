"""The result of a call that was not let run."""

from __future__ import annotations

import pytest

from toolferry import Effect, ErrorCode, Fault, Outcome, ToolCall
from toolferry_policies import Deny, refusal

CALL = ToolCall("c1", "read_file", {})


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (ErrorCode.UNKNOWN_TOOL, Outcome.FAILED),
        (ErrorCode.INVALID_JSON, Outcome.FAILED),
        (ErrorCode.TRUNCATED, Outcome.FAILED),
        (ErrorCode.SCHEMA, Outcome.FAILED),
        (ErrorCode.TOOL_NOT_ALLOWED, Outcome.DENIED),
        (ErrorCode.DENIED, Outcome.DENIED),
    ],
)
def test_a_faulty_call_failed_and_a_forbidden_one_was_denied(
    code: ErrorCode, outcome: Outcome
) -> None:
    """The outcome says whether the call or the caller's right was wrong."""
    assert refusal(CALL, Deny(code, "No."), 7.0).outcome is outcome


def test_a_refusal_is_a_whole_result_without_attempt_and_effect() -> None:
    """Nothing ran, nothing happened, and it ended when it was asked for."""
    result = refusal(CALL, Deny(ErrorCode.DENIED, "No."), 7.0)

    assert (result.call_id, result.name) == ("c1", "read_file")
    assert (result.attempts, result.effect) == (0, Effect.NONE)
    assert (result.requested_at, result.started_at, result.finished_at) == (7.0, None, 7.0)
    assert result.is_error


def test_the_model_reads_the_verdicts_words_and_every_fault() -> None:
    """The error carries message, suggestion and faults, and never the detail for the log."""
    fault = Fault(path="lines", expected="an integer", got="'three'")
    verdict = Deny(ErrorCode.SCHEMA, "Wrong.", "Mend it.", (fault,), detail="hush")

    error = refusal(CALL, verdict, 7.0).error

    assert error is not None
    assert (error.code, error.message, error.suggestion) == ("schema", "Wrong.", "Mend it.")
    assert error.faults == (fault,)
    assert "hush" not in str(error)


def test_without_a_suggestion_the_codes_own_is_given() -> None:
    """A model is never left without a next step."""
    error = Deny(ErrorCode.DENIED, "No.").error()

    assert error.suggestion == "Do not repeat this call; tell the user why."
