"""The effect table: what is true of every row, and the rules that look things up in it."""

from __future__ import annotations

from itertools import product

import pytest

from toolferry import NO_RETRY, CallError, Effect, EffectClass, ErrorCode, Outcome, RetryPolicy
from toolferry_policies import (
    EFFECTS,
    Again,
    AttemptEnd,
    Care,
    Ended,
    Happening,
    care_of,
    happening_of,
    next_step,
    treatment,
)

CLASSES = [
    (EffectClass.READ, True, Care.READ),
    (EffectClass.READ, False, Care.READ),
    (EffectClass.WRITE, True, Care.REPEATABLE),
    (EffectClass.WRITE, False, Care.ONCE),
    (EffectClass.DESTRUCTIVE, True, Care.REPEATABLE),
    (EffectClass.DESTRUCTIVE, False, Care.ONCE),
]
OWN = CallError(code="no_such_order", message="No.", retryable=True, suggestion="")
OURS = CallError.of(ErrorCode.EXECUTION_FAILED, "It broke.")
#: How an attempt ends that comes to each happening; the others are not ends of attempts.
ENDS = {
    Happening.RETURNED: AttemptEnd(outcome=Outcome.SUCCEEDED),
    Happening.RAISED: AttemptEnd(outcome=Outcome.FAILED, error=OURS),
    Happening.EXPLAINED: AttemptEnd(outcome=Outcome.FAILED, error=OWN),
    Happening.ASKED_AGAIN: AttemptEnd(outcome=Outcome.FAILED, error=OURS, asked=True),
    Happening.DID_NOTHING: AttemptEnd(
        outcome=Outcome.FAILED, error=OURS, asked=True, effect=Effect.NONE
    ),
    Happening.TIMED_OUT: AttemptEnd(outcome=Outcome.TIMED_OUT, error=OURS),
    Happening.WORKER_LOST: AttemptEnd(outcome=Outcome.LOST, error=OURS),
    Happening.NEVER_STARTED: AttemptEnd(outcome=Outcome.TIMED_OUT, error=OURS, effect=Effect.NONE),
    Happening.CANCELLED_UNSTARTED: AttemptEnd(outcome=Outcome.CANCELLED, effect=Effect.NONE),
    Happening.CANCELLED_RUNNING: AttemptEnd(outcome=Outcome.CANCELLED),
}
EAGER = RetryPolicy(retry_on=frozenset(Outcome))
ROWS = list(product(EFFECTS, Care))


@pytest.mark.parametrize(("effect_class", "repeatable", "care"), CLASSES)
def test_the_effect_class_says_how_careful_one_must_be(
    effect_class: EffectClass, care: Care, *, repeatable: bool
) -> None:
    """A read is a read; any other tool is as careful as it is not idempotent."""
    assert care_of(effect_class, repeatable=repeatable) is care


def test_every_happening_is_told_for_every_care() -> None:
    """Nothing is left open."""
    assert set(EFFECTS) == set(Happening)
    assert all(set(row) == set(Care) for row in EFFECTS.values())


@pytest.mark.parametrize(("happening", "care"), ROWS)
def test_no_row_breaks_a_promise(happening: Happening, care: Care) -> None:
    """What may have happened is not done again unless that is harmless, and a person is told."""
    row = treatment(happening, care)

    if care is Care.READ:
        assert row.effect is Effect.NONE
    if row.again:
        assert care is not Care.ONCE or row.effect is Effect.NONE
    if row.effect is Effect.POSSIBLE and row.outcome is not Outcome.CANCELLED:
        assert row.is_dead_letter or happening is Happening.DATA_LOST  # of which no record is left
    if row.is_dead_letter:
        assert row.outcome in {Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST}


@pytest.mark.parametrize("happening", ENDS)
def test_the_end_of_an_attempt_says_what_happened(happening: Happening) -> None:
    """Each is told from the others."""
    assert happening_of(ENDS[happening]) is happening


@pytest.mark.parametrize(("effect_class", "repeatable", "care"), CLASSES)
@pytest.mark.parametrize("happening", ENDS)
def test_the_rules_do_what_the_table_says(
    happening: Happening, effect_class: EffectClass, care: Care, *, repeatable: bool
) -> None:
    """With attempts and time left another follows or not; without, it ends as the row says."""
    row = treatment(happening, care)
    end = ENDS[happening]

    steps = [
        next_step(
            end,
            attempt=1,
            policy=policy,
            effect_class=effect_class,
            repeatable=repeatable,
            remaining=60.0,
            dice=0.5,
        )
        for policy in (EAGER, NO_RETRY)
    ]

    ended = Ended(row.outcome, row.effect)
    assert steps == [Again(0.25) if row.again else ended, ended]
