"""Dead letters: which ends are for a person to look at."""

from __future__ import annotations

import pytest

from toolferry import CallError, Effect, ErrorCode, Outcome
from toolferry_policies import is_dead_letter

BROKEN = CallError.of(ErrorCode.EXECUTION_FAILED, "It broke.")
OWN = CallError(code="no_such_order", message="No.", retryable=False, suggestion="")
SCHEMA = CallError.of(ErrorCode.SCHEMA, "They do not fit.")


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST])
def test_a_call_that_was_started_and_broke_is_dead(outcome: Outcome) -> None:
    """Its handler had its chance, and nobody said why."""
    assert is_dead_letter(outcome, Effect.NONE, BROKEN, attempts=3)


@pytest.mark.parametrize("error", [OWN, SCHEMA, BROKEN, None])
def test_what_may_have_happened_is_dead_whatever_was_said(error: CallError | None) -> None:
    """A person has to look."""
    assert is_dead_letter(Outcome.FAILED, Effect.POSSIBLE, error, attempts=1)


@pytest.mark.parametrize("error", [OWN, SCHEMA])
def test_an_answer_is_not_dead(error: CallError) -> None:
    """The model can do something about it."""
    assert not is_dead_letter(Outcome.FAILED, Effect.NONE, error, attempts=1)


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST])
def test_a_call_that_never_started_is_not_dead(outcome: Outcome) -> None:
    """There is nothing to look at, and the model was told."""
    assert not is_dead_letter(outcome, Effect.NONE, BROKEN, attempts=0)


@pytest.mark.parametrize("outcome", [Outcome.SUCCEEDED, Outcome.CANCELLED, Outcome.DENIED])
def test_what_went_well_or_was_withdrawn_is_not_dead(outcome: Outcome) -> None:
    """Also when it may have had an effect: whoever withdrew it knows of it."""
    assert not is_dead_letter(outcome, Effect.POSSIBLE, None, attempts=1)
