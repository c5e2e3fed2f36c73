"""What follows an attempt: another one, or the end of the call.

1. An attempt ends: with a result, an error, a timeout, or with its worker.
2. A success or a cancellation ends the call.
3. So does an end that is no reason to retry: the outcome is not in the policy's `retry_on` (and
   the handler did not ask), or handler or engine said that another attempt cannot help.
4. So does the last of `max_attempts`.
5. So does an attempt that may have had an effect which must not happen twice; see `effects`.
6. Otherwise the call waits: as long as the handler asked for, or else a random part of a time that
   grows with each attempt, so that calls which failed together do not come back together.
7. A wait that would outlive the call's deadline ends the call at once, with the error it has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from toolferry import Artifact, CallError, Effect, EffectClass, ErrorCode, Outcome, RetryPolicy
from toolferry.record import record
from toolferry_policies.effects import Care, Happening, Treatment, care_of, treatment

#: After other outcomes nothing follows, whatever a policy lists.
_MAY_FOLLOW: Final = frozenset({Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST})


@record(frozen=True, slots=True, kw_only=True)
class AttemptEnd:
    """How one attempt ended."""

    #: SUCCEEDED, FAILED, TIMED_OUT, CANCELLED or LOST.
    outcome: Outcome
    #: Why it did not succeed; None with SUCCEEDED.
    error: CallError | None = None
    #: What the handler returned, as JSON data.
    content: Any = None
    truncated: bool = False
    next_cursor: str | None = None
    source: str | None = None
    #: What people see of the content; None when the tool gave no view.
    view: str | None = None
    #: The arguments that take back what the handler did; None when it gave none.
    undo: Mapping[str, Any] | None = None
    #: False when handler or engine know that another attempt cannot help.
    retryable: bool = True
    #: Seconds to wait before the next attempt; None for the policy's backoff.
    after: float | None = None
    #: The handler's word on the effect of this attempt; None to go by the effect class.
    effect: Effect | None = None
    #: Whether the handler asked for another attempt.
    asked: bool = False
    #: Whether this is what the tool's `verify` found out about an earlier attempt.
    verified: bool = False
    #: Bytes of the content that a policy withholds, as JSON text; None when none was withheld.
    withheld: int | None = None
    #: All of the content, when it was cut and a model may read on; None otherwise.
    artifact: Artifact | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """Another attempt follows."""

    #: Seconds until it is due, 0 or more.
    delay: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The call is over."""

    outcome: Outcome
    #: What is known of the effect of all its attempts together.
    effect: Effect


NextStep: TypeAlias = Again | Ended


def next_step(  # noqa: PLR0913 -- each is one fact of the rule; an object would only rename them
    end: AttemptEnd,
    *,
    attempt: int,
    policy: RetryPolicy,
    effect_class: EffectClass,
    repeatable: bool,
    remaining: float,
    dice: float,
) -> NextStep:
    """Decide what follows an attempt; the story is at the top of this file.

    Args:
        end: How the attempt ended.
        attempt: Its number, from 1.
        policy: The tool's retry policy.
        effect_class: The tool's effect class.
        repeatable: Whether a write may be repeated after it may have happened.
        remaining: Seconds to the call's deadline; may be negative.
        dice: A random number in [0, 1).

    >>> failed = AttemptEnd(outcome=Outcome.FAILED)
    >>> rules = dict(policy=RetryPolicy(), repeatable=False, remaining=60.0, dice=0.5)
    >>> next_step(failed, attempt=1, effect_class=EffectClass.READ, **rules)
    Again(delay=0.25)
    >>> next_step(failed, attempt=1, effect_class=EffectClass.WRITE, **rules)
    Ended(outcome=<Outcome.FAILED: 'failed'>, effect=<Effect.POSSIBLE: 'possible'>)
    """
    care = care_of(effect_class, repeatable=repeatable)
    known = treatment(happening_of(end), care)
    if known.again and attempt < policy.max_attempts and _is_reason(end, policy):
        delay = _delay(end, attempt, policy, dice)
        if delay < remaining:
            return Again(delay)
    return Ended(end.outcome, _effect(end, attempt, care, known))


def happening_of(end: AttemptEnd) -> Happening:
    """Name what happened, by how an attempt ended.

    >>> happening_of(AttemptEnd(outcome=Outcome.FAILED, asked=True))
    <Happening.ASKED_AGAIN: 'asked again'>
    """
    did_nothing = end.effect is Effect.NONE
    match end.outcome:
        case Outcome.SUCCEEDED:
            return Happening.RETURNED
        case Outcome.CANCELLED:
            return Happening.CANCELLED_UNSTARTED if did_nothing else Happening.CANCELLED_RUNNING
        case Outcome.FAILED:
            return Happening.DID_NOTHING if did_nothing else _failure(end)
        case Outcome.TIMED_OUT:
            return Happening.NEVER_STARTED if did_nothing else Happening.TIMED_OUT
        case _:
            return Happening.WORKER_LOST


def _failure(end: AttemptEnd) -> Happening:
    if end.asked:
        return Happening.ASKED_AGAIN
    is_ours = end.error is None or end.error.code in set(ErrorCode)
    return Happening.RAISED if is_ours else Happening.EXPLAINED


def backoff(policy: RetryPolicy, attempt: int, dice: float) -> float:
    """Give the seconds to wait after a failed attempt: exponential, with full jitter.

    Args:
        policy: Gives base, factor and cap.
        attempt: The number of the attempt that failed, from 1.
        dice: A random number in [0, 1).

    Returns:
        `dice * min(cap, base * factor ** (attempt - 1))`.

    Source: "Exponential Backoff And Jitter", AWS Architecture Blog, 2015: full jitter.

    >>> [backoff(RetryPolicy(), attempt, 0.5) for attempt in (1, 2, 3, 99)]
    [0.25, 0.5, 1.0, 15.0]
    """
    return dice * _ceiling(policy, attempt)


def _ceiling(policy: RetryPolicy, attempt: int) -> float:
    # Asked in logarithms, because the power of a late attempt is more than a float can hold.
    if (attempt - 1) * math.log(policy.factor) >= math.log(policy.cap / policy.base):
        return policy.cap
    return min(policy.cap, policy.base * policy.factor ** (attempt - 1))


def _delay(end: AttemptEnd, attempt: int, policy: RetryPolicy, dice: float) -> float:
    if end.after is None:
        return backoff(policy, attempt, dice)
    return end.after if end.after > 0 else 0.0


def _is_reason(end: AttemptEnd, policy: RetryPolicy) -> bool:
    wanted = end.asked or end.outcome in policy.retry_on
    return wanted and end.retryable and end.outcome in _MAY_FOLLOW


def _effect(end: AttemptEnd, attempt: int, care: Care, known: Treatment) -> Effect:
    """Say what is known of all attempts together: the handler's word counts for its own only."""
    if care is Care.READ:
        return known.effect
    # An earlier attempt of a repeatable tool may have had the effect that this one had not.
    earlier = attempt > 1 and care is Care.REPEATABLE
    if end.effect is Effect.NONE and earlier and end.outcome is not Outcome.SUCCEEDED:
        return Effect.POSSIBLE
    return end.effect or known.effect
