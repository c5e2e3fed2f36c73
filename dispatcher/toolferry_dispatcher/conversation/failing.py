"""What follows when a call of a conversation has failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum

from toolferry import ConfigurationError, ToolResult


class AfterFailure(StrEnum):
    """What a conversation does after a failed call. The model's messages are whole in each case."""

    #: The model is told and goes on.
    CONTINUE = "continue"
    #: The conversation pauses until somebody resumes it.
    ASK = "ask"
    #: The conversation ends.
    STOP = "stop"


#: Says what follows a failed call.
OnFailure = Callable[[ToolResult], AfterFailure]


def go_on(_result: ToolResult) -> AfterFailure:
    """Leave every failure to the model: the default."""
    return AfterFailure.CONTINUE


def stop_on(*codes: str) -> OnFailure:
    """Give a policy that stops at failures with one of these codes and leaves others to the model.

    >>> from toolferry import CallError, Effect, ErrorCode, Outcome
    >>> failed = ToolResult(
    ...     call_id="c",
    ...     name="pay",
    ...     outcome=Outcome.FAILED,
    ...     effect=Effect.NONE,
    ...     error=CallError.of(ErrorCode.TIMEOUT, "Too long."),
    ... )
    >>> stop_on("timeout")(failed), stop_on("denied")(failed)
    (<AfterFailure.STOP: 'stop'>, <AfterFailure.CONTINUE: 'continue'>)
    """
    return _on(frozenset(map(str, codes)), AfterFailure.STOP)


def ask_on(*codes: str) -> OnFailure:
    """Give a policy that pauses at failures with one of these codes."""
    return _on(frozenset(map(str, codes)), AfterFailure.ASK)


def _on(codes: frozenset[str], what: AfterFailure) -> OnFailure:
    def decide(result: ToolResult) -> AfterFailure:
        is_listed = result.error is not None and result.error.code in codes
        return what if is_listed else AfterFailure.CONTINUE

    return decide


def judge_failures(
    results: Iterable[ToolResult], on_failure: OnFailure
) -> tuple[AfterFailure, tuple[ToolResult, ...]]:
    """Ask a policy about all failed calls of a round: the strictest answer counts.

    Returns:
        That answer, and the calls that brought it; none when the conversation goes on.

    Raises:
        ConfigurationError: The policy gives something else than an answer.
    """
    answers = [(_answer(on_failure(one)), one) for one in results if one.is_error]
    for what in (AfterFailure.STOP, AfterFailure.ASK):
        found = tuple(one for answer, one in answers if answer is what)
        if found:
            return what, found
    return AfterFailure.CONTINUE, ()


def _answer(given: str) -> AfterFailure:
    try:
        return AfterFailure(given)
    except ValueError as error:
        known = ", ".join(AfterFailure)
        reason = f"gave {given!r:.80}, which is none of {known}"
        raise ConfigurationError("on_failure", reason) from error
