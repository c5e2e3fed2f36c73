"""What follows an attempt: when another may, how long it waits, and what is known at the end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry import NO_RETRY, Effect, EffectClass, Outcome, RetryPolicy
from toolferry_policies import Again, AttemptEnd, Ended, backoff, next_step

FAILED = AttemptEnd(outcome=Outcome.FAILED)
LOST = AttemptEnd(outcome=Outcome.LOST)
DICE = st.floats(min_value=0, max_value=1, exclude_max=True)
ENDS = st.builds(
    AttemptEnd,
    outcome=st.sampled_from(
        [
            Outcome.SUCCEEDED,
            Outcome.FAILED,
            Outcome.TIMED_OUT,
            Outcome.CANCELLED,
            Outcome.LOST,
        ]
    ),
    retryable=st.booleans(),
    after=st.none() | st.floats(allow_nan=True, allow_infinity=True),
    effect=st.none() | st.sampled_from(Effect),
    asked=st.booleans(),
)
POLICIES = st.builds(
    RetryPolicy,
    max_attempts=st.integers(1, 10_000),
    base=st.floats(0.001, 10),
    factor=st.floats(1, 100),
    cap=st.floats(10, 1e6),
    retry_on=st.frozensets(st.sampled_from(Outcome)),
)
FACTS = st.fixed_dictionaries(
    {
        "attempt": st.integers(1, 10_000),
        "policy": POLICIES,
        "effect_class": st.sampled_from(EffectClass),
        "repeatable": st.booleans(),
        "remaining": st.floats(-100, 1e6),
        "dice": DICE,
    }
)


def step(end: AttemptEnd, **changes: Any) -> Again | Ended:
    """Say what follows the first attempt of a read with a minute left, or of a changed case."""
    facts: dict[str, Any] = {
        "attempt": 1,
        "policy": RetryPolicy(),
        "effect_class": EffectClass.READ,
        "repeatable": False,
        "remaining": 60.0,
        "dice": 0.5,
    }
    return next_step(end, **{**facts, **changes})


WRITE: dict[str, Any] = {"effect_class": EffectClass.WRITE}
REPEATABLE: dict[str, Any] = {**WRITE, "repeatable": True}


@pytest.mark.parametrize("end", [FAILED, LOST])
@pytest.mark.parametrize("case", [{}, REPEATABLE])
def test_a_failed_or_lost_attempt_of_a_repeatable_tool_is_repeated(
    end: AttemptEnd, case: dict[str, Any]
) -> None:
    """At least once is what such a tool is promised."""
    assert step(end, **case) == Again(0.25)


@pytest.mark.parametrize("effect_class", [EffectClass.WRITE, EffectClass.DESTRUCTIVE])
@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST])
def test_what_must_not_happen_twice_ends_with_a_possible_effect(
    effect_class: EffectClass, outcome: Outcome
) -> None:
    """Once started, nobody knows what it did; at most once is what it is promised."""
    policy = RetryPolicy(retry_on=frozenset(Outcome))

    end = step(AttemptEnd(outcome=outcome), effect_class=effect_class, policy=policy)

    assert end == Ended(outcome, Effect.POSSIBLE)


def test_a_handler_that_knows_it_did_nothing_is_run_again() -> None:
    """Its word makes the repetition safe."""
    end = AttemptEnd(outcome=Outcome.FAILED, effect=Effect.NONE, asked=True)

    assert step(end, **WRITE) == Again(0.25)


def test_a_timeout_is_retried_only_where_the_policy_says_so() -> None:
    """By default a tool that hung once does not keep the conversation waiting again."""
    end = AttemptEnd(outcome=Outcome.TIMED_OUT)
    willing = RetryPolicy(retry_on=frozenset({Outcome.TIMED_OUT}))

    assert step(end) == Ended(Outcome.TIMED_OUT, Effect.NONE)
    assert step(end, policy=willing) == Again(0.25)


def test_a_handler_may_ask_for_a_retry_that_the_policy_does_not_list() -> None:
    """`RetryCall` needs no entry in `retry_on`, but attempts have to be left."""
    end = AttemptEnd(outcome=Outcome.FAILED, asked=True)
    reluctant = RetryPolicy(retry_on=frozenset())

    assert step(end, policy=reluctant) == Again(0.25)
    assert step(end, policy=NO_RETRY) == Ended(Outcome.FAILED, Effect.NONE)


def test_an_error_that_another_attempt_cannot_help_ends_the_call() -> None:
    """Handler or engine said so."""
    end = AttemptEnd(outcome=Outcome.FAILED, retryable=False)

    assert step(end) == Ended(Outcome.FAILED, Effect.NONE)


def test_the_last_attempt_is_the_last() -> None:
    """Attempts are counted from 1 to `max_attempts`."""
    policy = RetryPolicy(max_attempts=2)

    assert step(FAILED, policy=policy, attempt=1) == Again(0.25)
    assert step(FAILED, policy=policy, attempt=2) == Ended(Outcome.FAILED, Effect.NONE)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (7.0, Again(7.0)),
        (0.0, Again(0.0)),
        (-1.0, Again(0.0)),
        (60.0, Ended(Outcome.FAILED, Effect.NONE)),
        (float("inf"), Ended(Outcome.FAILED, Effect.NONE)),
    ],
)
def test_the_handlers_wait_is_honoured_within_the_deadline(
    after: float, expected: Again | Ended
) -> None:
    """A wait that outlives the deadline ends the call at once, with its own error."""
    assert step(AttemptEnd(outcome=Outcome.FAILED, after=after)) == expected


@pytest.mark.parametrize(
    ("case", "effect"),
    [
        ({}, Effect.NONE),
        (WRITE, Effect.COMMITTED),
        ({"effect_class": EffectClass.DESTRUCTIVE}, Effect.COMMITTED),
    ],
)
def test_a_success_commits_unless_the_tool_only_reads(case: dict[str, Any], effect: Effect) -> None:
    """The effect class says what a success did."""
    end = AttemptEnd(outcome=Outcome.SUCCEEDED)

    assert step(end, **case) == Ended(Outcome.SUCCEEDED, effect)


def test_an_attempt_that_did_nothing_does_not_undo_an_earlier_one() -> None:
    """The first attempt of a repeatable write may have had the effect that the last had not."""
    end = AttemptEnd(outcome=Outcome.FAILED, effect=Effect.NONE, retryable=False)

    first = step(end, **REPEATABLE, attempt=1)
    second = step(end, **REPEATABLE, attempt=2)

    assert first == Ended(Outcome.FAILED, Effect.NONE)
    assert second == Ended(Outcome.FAILED, Effect.POSSIBLE)


@given(end=ENDS, facts=FACTS)
def test_a_retry_never_breaks_a_promise(end: AttemptEnd, facts: dict[str, Any]) -> None:
    """Whatever comes together: attempts are left, the deadline holds, nothing unsafe repeats."""
    following = next_step(end, **facts)

    if isinstance(following, Again):
        assert end.retryable
        assert end.outcome in {Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST}
        assert facts["attempt"] < facts["policy"].max_attempts
        assert 0 <= following.delay < facts["remaining"]
        assert (
            facts["effect_class"] is EffectClass.READ
            or facts["repeatable"]
            or end.effect is Effect.NONE
        )


@given(end=ENDS, facts=FACTS)
def test_an_end_keeps_the_outcome_and_a_read_has_no_effect(
    end: AttemptEnd, facts: dict[str, Any]
) -> None:
    """The last attempt's outcome is the call's; reading changes nothing."""
    following = next_step(end, **facts)

    if isinstance(following, Ended):
        assert following.outcome is end.outcome
        if facts["effect_class"] is EffectClass.READ:
            assert following.effect is Effect.NONE


@given(end=ENDS, facts=FACTS)
def test_deciding_again_changes_nothing(end: AttemptEnd, facts: dict[str, Any]) -> None:
    """Two processes that judge the same end agree."""
    assert next_step(end, **facts) == next_step(end, **facts)


@given(end=ENDS, facts=FACTS, more=st.floats(0, 1e6))
def test_more_time_never_takes_a_retry_away(
    end: AttemptEnd, facts: dict[str, Any], more: float
) -> None:
    """A later deadline can only help."""
    if isinstance(next_step(end, **facts), Again):
        later = {**facts, "remaining": facts["remaining"] + more}

        assert next_step(end, **later) == next_step(end, **facts)


@given(policy=POLICIES, attempt=st.integers(1, 1_000_000), dice=DICE)
def test_a_wait_is_never_longer_than_the_cap(
    policy: RetryPolicy, attempt: int, dice: float
) -> None:
    """Nor negative, nor an overflow in the millionth attempt."""
    assert 0 <= backoff(policy, attempt, dice) <= policy.cap


@given(policy=POLICIES, attempt=st.integers(1, 1000), dice=DICE)
def test_waits_grow_with_the_attempts(policy: RetryPolicy, attempt: int, dice: float) -> None:
    """With the same dice a later attempt never waits less."""
    assert backoff(policy, attempt, dice) <= backoff(policy, attempt + 1, dice)


@given(policy=POLICIES, attempt=st.integers(1, 1000), low=DICE, high=DICE)
def test_the_dice_spread_the_waits_from_zero(
    policy: RetryPolicy, attempt: int, low: float, high: float
) -> None:
    """Full jitter: calls that failed together come back apart."""
    lower, upper = sorted((low, high))

    assert backoff(policy, attempt, 0.0) == 0.0
    assert backoff(policy, attempt, lower) <= backoff(policy, attempt, upper)
