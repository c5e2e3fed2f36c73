"""Endings: from the end of an attempt to what is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ledger.samples import make_spec
from tests.ledger.test_spec import claim_of
from toolferry import CallError, CallState, Effect, EffectClass, ErrorCode, Outcome
from toolferry_ledger import Spec, Suspect, conclude, distrust, overdue_end, read_result
from toolferry_policies import AttemptEnd

WRITE = make_spec(effect_class=EffectClass.WRITE, repeatable=False)


def ended(code: str, outcome: Outcome = Outcome.FAILED) -> AttemptEnd:
    """Give the end of an attempt that another could follow, with an error of that code."""
    error = CallError(code=code, message="It broke.", retryable=True, suggestion="Again!")
    return AttemptEnd(outcome=outcome, error=error)


def error_of(spec: Spec, end: AttemptEnd) -> CallError:
    """Give the error that the model reads."""
    text = conclude(spec, claim_of(spec), end, finished_at=3.0).result
    assert text is not None
    error = read_result(text).error
    assert error is not None
    return error


@pytest.mark.parametrize("code", [ErrorCode.TIMEOUT, ErrorCode.EXECUTION_FAILED])
def test_a_write_that_may_have_happened_does_not_invite_a_repeat(code: ErrorCode) -> None:
    """The model is told to look before it asks again."""
    error = error_of(WRITE, ended(code))

    assert not error.retryable
    assert error.suggestion == "Check whether it happened before you make the call again."


def test_a_handlers_own_words_stay_as_they_are() -> None:
    """A handler that names its own code knows what happened."""
    assert error_of(WRITE, ended("order_is_closed")).suggestion == "Again!"


def test_a_write_that_did_nothing_may_be_repeated() -> None:
    """When nothing can have happened, the error's own advice holds."""
    end = replace(ended(ErrorCode.SCHEMA), effect=Effect.NONE, retryable=False)

    assert error_of(WRITE, end).retryable


def test_a_result_tells_when_and_how_often() -> None:
    """Times are the server's, attempts are those that were started."""
    spec = make_spec()
    end = AttemptEnd(outcome=Outcome.SUCCEEDED, content={"a": 1}, source="file a.txt")

    settlement = conclude(spec, claim_of(spec), end, finished_at=3.5)
    assert settlement.state is CallState.SUCCEEDED
    result = read_result(settlement.result or b"")

    assert (result.call_id, result.content, result.source) == ("c0", {"a": 1}, "file a.txt")
    assert (result.requested_at, result.started_at, result.finished_at) == (1.0, 2.0, 3.5)
    assert (result.attempts, result.effect) == (1, Effect.NONE)


def test_a_retry_is_due_after_its_backoff() -> None:
    """The jitter's draw is the only chance in it."""
    spec = make_spec()
    failed = ended(ErrorCode.EXECUTION_FAILED)

    settlement = conclude(spec, claim_of(spec), failed, finished_at=3.0, dice=0.5)

    assert settlement.state is CallState.RETRYING
    assert settlement.delay == pytest.approx(0.0005)
    assert settlement.result is None


@pytest.mark.parametrize(
    ("spec", "state", "effect"),
    [
        (WRITE, CallState.RETRYING, Effect.NONE),
        (WRITE, CallState.QUEUED, Effect.NONE),
        (WRITE, CallState.RUNNING, Effect.POSSIBLE),
        (replace(WRITE, repeatable=True), CallState.RETRYING, Effect.POSSIBLE),
    ],
)
def test_a_write_that_waits_for_its_next_attempt_has_done_nothing(
    spec: Spec, state: CallState, effect: Effect
) -> None:
    """Else there would be no next one, unless it may be repeated."""
    claim = claim_of(spec)
    suspect = Suspect(
        call_key=claim.call_key,
        fence=claim.fence,
        state=state,
        spec=claim.spec,
        signature=claim.signature,
        attempt=1,
        requested_at=1.0,
        started_at=2.0,
        deadline_at=60.0,
        now=61.0,
        abandoned=False,
    )

    settlement = conclude(spec, suspect, overdue_end(spec, suspect), suspect.now)

    result = read_result(settlement.result or b"")
    assert (result.outcome, result.effect) == (Outcome.TIMED_OUT, effect)
    assert ("may or may not" in str(result.error)) is (effect is Effect.POSSIBLE and spec is WRITE)


@pytest.mark.parametrize(("attempt", "effect"), [(1, Effect.NONE), (2, Effect.POSSIBLE)])
def test_of_a_record_that_cannot_be_believed_only_earlier_attempts_may_have_run(
    attempt: int, effect: Effect
) -> None:
    """A claim that is refused does nothing, but undoes nothing either."""
    settlement = distrust(replace(claim_of(make_spec()), attempt=attempt))

    assert settlement.result is not None
    result = read_result(settlement.result)
    assert (result.outcome, result.effect) == (Outcome.FAILED, effect)
    assert (result.call_id, result.name) == ("", "")
