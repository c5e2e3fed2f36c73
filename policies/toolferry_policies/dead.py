"""Dead letters: which calls are kept for people after their end."""

from __future__ import annotations

from typing import Final

from toolferry import CallError, Effect, ErrorCode, Outcome

#: What the engine says of an attempt when its handler could not, or did not, say it itself.
FAULTS: Final = frozenset(
    {
        ErrorCode.EXECUTION_FAILED,
        ErrorCode.TIMEOUT,
        ErrorCode.DEADLINE,
        ErrorCode.WORKER_LOST,
        ErrorCode.BAD_RESULT,
        ErrorCode.NO_RESOURCE,
    }
)
_WITHOUT_SUCCESS: Final = frozenset({Outcome.FAILED, Outcome.TIMED_OUT, Outcome.LOST})


def is_dead_letter(
    outcome: Outcome, effect: Effect, error: CallError | None, attempts: int
) -> bool:
    """Tell whether a call that has ended is kept for people, to be looked at and replayed.

    It is when an attempt was started and it ended without success, and either nobody answered for
    it (the error is the engine's own) or it may have had an effect. What a handler itself told of
    a read is an answer, and nobody has to look at it.

    Args:
        outcome: How it ended.
        effect: What is known of its effect.
        error: Why it did not succeed.
        attempts: How many attempts were started.

    >>> crashed = CallError.of(ErrorCode.EXECUTION_FAILED, "It failed.")
    >>> is_dead_letter(Outcome.FAILED, Effect.NONE, crashed, attempts=3)
    True
    >>> is_dead_letter(Outcome.CANCELLED, Effect.POSSIBLE, None, attempts=1)
    False
    """
    if attempts == 0 or outcome not in _WITHOUT_SUCCESS:
        return False
    return effect is Effect.POSSIBLE or (error is not None and error.code in FAULTS)
