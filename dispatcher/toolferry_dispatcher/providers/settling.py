"""What a response is, once its calls are read and its end is known: one rule for every wire.

A provider says what its finish reason means (an `Ending`), by a closed table. Calls count, not the
finish reason, unless that says that the response is not what the model meant to send:

| ending | with a call that is whole | without one |
|---|---|---|
| whole | calls | calls, when there is one at all; final with text, else degenerate |
| length, broken | calls; the last one is `truncated` | incomplete; the last one is `truncated` |
| refused | calls; the last one is `truncated` | incomplete when there is one at all, else refused |
| failed | provider error, without calls | provider error |
| unknown | incomplete, without calls | incomplete |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from toolferry import CallError, ErrorCode
from toolferry_dispatcher.reply import Ending, ReadCall, Reply, ReplyKind

#: Endings after which the calls say nothing: whoever asks again gets them anew.
WITHOUT_CALLS: Final = frozenset({Ending.FAILED, Ending.UNKNOWN})


def settle(
    ending: Ending,
    calls: Sequence[ReadCall],
    text: str,
    message: Mapping[str, Any],
    finish_reason: str | None = None,
) -> Reply:
    """Give the reply that a response is.

    Args:
        ending: What the finish reason means.
        calls: Those that were read, in order.
        text: What the model said, or the provider about its error.
        message: The echo; for an ending `WITHOUT_CALLS` one that has none.
        finish_reason: The provider's word.
    """
    if ending in WITHOUT_CALLS:
        calls = ()
    has_whole = any(read.fault is None for read in calls)
    return Reply(
        kind=_kind_of(ending, calls, text, has_whole=has_whole),
        calls=tuple(_with_last_cut(calls, ending, finish_reason)),
        text=text,
        message=message,
        finish_reason=finish_reason,
        ending=ending,
    )


def cut_error(finish_reason: str | None) -> CallError:
    """Say of a call why it was not run, when its response was not finished."""
    why = f" ({finish_reason})" if finish_reason else ""
    message = f"The response was not finished{why}, so this was not run."
    return CallError.of(ErrorCode.TRUNCATED, message)


def cut_off(reply: Reply, *, run_complete: bool) -> Reply:
    """Give every call of a response that was not finished the `truncated` fault.

    Args:
        reply: The response.
        run_complete: Whether the calls before the last one may run, which are whole when the
            response ran into its length limit. After any other reason, such as a filter or an
            error, none may.
    """
    is_whole = reply.kind is ReplyKind.CALLS and reply.ending is Ending.WHOLE
    if is_whole or (run_complete and reply.ending is Ending.LENGTH):
        return reply
    error = cut_error(reply.finish_reason)
    calls = tuple(ReadCall(read.call, error, read.repairs) for read in reply.calls)
    return replace(reply, calls=calls)


def _kind_of(ending: Ending, calls: Sequence[ReadCall], text: str, *, has_whole: bool) -> ReplyKind:
    if ending is Ending.FAILED:
        return ReplyKind.PROVIDER_ERROR
    if ending is Ending.WHOLE and not calls:
        return ReplyKind.FINAL if text else ReplyKind.DEGENERATE
    if ending is Ending.WHOLE or has_whole:
        return ReplyKind.CALLS
    is_refused = ending is Ending.REFUSED and not calls
    return ReplyKind.REFUSED if is_refused else ReplyKind.INCOMPLETE


def _with_last_cut(
    calls: Sequence[ReadCall], ending: Ending, finish_reason: str | None
) -> Sequence[ReadCall]:
    """Mark the last call of a response that is not whole: nobody knows whether it came whole."""
    if ending is Ending.WHOLE or not calls:
        return calls
    *before, last = calls
    return [*before, ReadCall(last.call, cut_error(finish_reason), last.repairs)]
