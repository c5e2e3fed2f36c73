"""The plain values: calls, contexts, results, policies of retry, states."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import context_for_handlers
from toolferry import (
    NO_RETRY,
    OPEN_STATES,
    TRANSITIONS,
    CallError,
    CallState,
    Context,
    Effect,
    ErrorCode,
    Fault,
    Outcome,
    RetryPolicy,
    ToolCall,
    ToolContext,
    ToolResult,
    Turn,
    call_key,
    split_call_key,
)


def test_a_call_key_is_split_into_what_made_it() -> None:
    """A turn's id may hold colons."""
    assert split_call_key(call_key("a:b", 12)) == ("a:b", 12)


def test_calls_and_turns_start_empty() -> None:
    """What the application does not say is nothing."""
    call = ToolCall("c1", "wait")

    assert call.arguments == {}
    turn = Turn(turn_id="t1", calls=(call,))
    assert (turn.conversation_id, turn.labels) == ("", {})


def test_equal_contexts_have_equal_json() -> None:
    """Sets are sorted, so that signatures agree."""
    context = Context(principal="ada", roles=frozenset({"b", "a"}), permissions=frozenset({"x"}))

    data = context.to_json()
    assert data["roles"] == ["a", "b"]
    assert Context.from_json(data) == context
    assert Context.from_json({}) == Context()


def test_roles_may_be_any_collection_of_names() -> None:
    """They become a frozen set."""
    roles: Any = ["admin"]

    assert Context(roles=roles).roles == frozenset({"admin"})


@pytest.mark.parametrize("word", ["roles", "permissions"])
def test_one_text_is_no_set_of_names(word: str) -> None:
    """Its letters would become roles."""
    fields: dict[str, Any] = {word: "admin"}

    with pytest.raises(ValueError, match=f"context: {word} must be a set of names, not one text"):
        Context(**fields)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"principal": 7}, "context: principal must be a string, not int"),
        ({"roles": "admin"}, "context: roles must be a list of strings, not str"),
        ({"roles": [1]}, "context: roles must be a list of strings, not list"),
        ({"admin": True}, "context: admin is not known; the keys are environment, locale, permi"),
    ],
)
def test_a_context_that_cannot_be_read_names_the_key(data: Any, sentence: str) -> None:
    """A misspelt key must not silently mean no rights, or all."""
    with pytest.raises(ValueError, match=sentence):
        Context.from_json(data)


def test_a_handler_reports_progress_to_whoever_watches() -> None:
    """Outside of a worker nobody does."""
    context_for_handlers().progress(0.5, "half way")
    heard: list[object] = []
    ctx = ToolContext(
        identity=Context(),
        turn_id="t1",
        call_id="c1",
        call_key="t1:0",
        attempt=1,
        deadline=1.0,
        idempotency_key="t1:0",
        report=lambda fraction, message: heard.append((fraction, message)),
    )

    ctx.progress(0.5, "half way")
    ctx.progress()
    assert heard == [(0.5, "half way"), (None, None)]


@pytest.mark.parametrize(
    "error",
    [
        None,
        CallError.of(ErrorCode.TIMEOUT, "Too long."),
        CallError.of(
            ErrorCode.SCHEMA, "Bad.", faults=(Fault(path="a", expected="integer", got="1.5"),)
        ),
    ],
)
def test_a_result_comes_back_from_its_json(error: CallError | None) -> None:
    """Unknown keys of a newer release are passed over."""
    result = ToolResult(
        call_id="c1",
        name="sum",
        outcome=Outcome.SUCCEEDED if error is None else Outcome.FAILED,
        effect=Effect.NONE,
        content=[1],
        error=error,
        attempts=2,
        started_at=1.5,
    )

    data = result.to_json()
    assert data["schema_version"] == 1
    assert ToolResult.from_json({**data, "added_later": 1}) == result
    assert result.is_error is (error is not None)


def test_the_default_policy_tries_three_times_within_half_a_minute_each() -> None:
    """Nothing is endless."""
    policy = RetryPolicy()

    assert (policy.max_attempts, policy.base, policy.cap) == (3, 0.5, 30.0)
    assert policy.retry_on == {Outcome.FAILED, Outcome.LOST}
    assert NO_RETRY.max_attempts == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"max_attempts": 0}, "max_attempts is 0"),
        ({"base": 0}, "base is 0 s"),
        ({"base": 40}, "base is 40 s and cap is 30.0 s"),
        ({"base": float("nan")}, "base is nan s"),
        ({"cap": float("inf")}, "cap is inf s"),
        ({"factor": 0.5}, "factor is 0.5"),
        ({"factor": float("nan")}, "factor is nan"),
    ],
)
def test_a_policy_out_of_range_is_refused(fields: dict[str, Any], sentence: str) -> None:
    """With the number and the rule."""
    with pytest.raises(ValueError, match=sentence):
        RetryPolicy(**fields)


def test_every_state_has_its_transitions_and_no_outcome_is_left() -> None:
    """An outcome is for ever, an open state is not."""
    assert set(TRANSITIONS) == set(CallState)
    for state in CallState:
        assert bool(TRANSITIONS[state]) is (state in OPEN_STATES)
    assert {state.value for state in set(CallState) - OPEN_STATES} == set(Outcome)


def test_a_call_succeeds_only_while_it_runs() -> None:
    """Nobody can report a success for a call that nobody claimed."""
    before = [state for state in CallState if CallState.SUCCEEDED in TRANSITIONS[state]]

    assert before == [CallState.RUNNING]
