"""The envelope: what a model receives for a call, the same for success and failure.

`{ok, source, content, truncated, next_cursor, error_code, message, path, expected, got, allowed,
closest, example, retryable, suggestion, effect, changed, notes}`

1. What has nothing to say is left out. Only `ok` is always there; `content` whenever the call
   succeeded, also when it is null; `error_code`, `message` and `retryable` whenever it did not.
2. `effect` is left out of a success without effect. A failure always tells it, `none` too: whether
   something may have happened decides what the model can safely do next.
3. `changed` says what policies changed about the arguments, so that the model does not take the
   result for that of the call which it made.
4. `notes` says what else it should know of its call, such as that it was made before.
5. Faults of the arguments stand in `message`, each with its path, so that one try mends all. The
   first one stands in `path`, `expected` and `got`, with what helps to mend it: the values or names
   that are `allowed`, or those `closest` to what came, and an `example` of good arguments.
6. An error that the model can mend is at most 1 KB, see `toolferry.fitted`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from toolferry.codes import ErrorCode
from toolferry.fitted import MENDABLE, fitted
from toolferry.result import CallError, ToolResult
from toolferry.states import Effect, Outcome, ResultFormat
from toolferry.wording import clean_text, json_text

#: What is said of a result that ended without success and says nothing itself.
_UNSAID: Final[Mapping[Outcome, tuple[ErrorCode, str]]] = MappingProxyType(
    {
        Outcome.TIMED_OUT: (ErrorCode.TIMEOUT, "The tool did not answer in time."),
        Outcome.CANCELLED: (ErrorCode.CANCELLED, "The call was cancelled."),
        Outcome.DENIED: (ErrorCode.DENIED, "The call was denied."),
        Outcome.LOST: (ErrorCode.WORKER_LOST, "The worker vanished while it ran the call."),
    }
)
#: What helps to mend a call, in the order in which it is told.
_HELP: Final = ("allowed", "closest", "example")


def envelope(result: ToolResult) -> dict[str, Any]:
    """Give what the model receives, as JSON data.

    >>> envelope(ToolResult(call_id="c1", name="add", outcome=Outcome.SUCCEEDED, content=3,
    ...                     effect=Effect.NONE))
    {'ok': True, 'content': 3}
    """
    parts = _failure(result) if result.is_error else _success(result)
    written = {name: value for name, value in parts if value is not None or name == "content"}
    return fitted(written) if written.get("error_code") in MENDABLE else written


def render(result: ToolResult, result_format: ResultFormat = ResultFormat.ENVELOPE) -> str:
    """Write what the model receives: the envelope as JSON text, or plain text.

    The text is never empty and always valid Unicode.
    """
    text = _plain(result) if result_format is ResultFormat.TEXT else json_text(envelope(result))
    return clean_text(text)


def _success(result: ToolResult) -> Iterator[tuple[str, Any]]:
    yield "ok", True
    yield "source", result.source
    yield "content", result.content
    yield "truncated", result.truncated or None
    yield "next_cursor", result.next_cursor
    yield "effect", None if result.effect is Effect.NONE else result.effect.value
    yield "changed", list(result.changes) or None
    yield "notes", list(result.notes) or None


def _failure(result: ToolResult) -> Iterator[tuple[str, Any]]:
    error = _error(result)
    yield "ok", False
    yield "source", result.source
    yield "error_code", error.code
    yield "message", error.message
    if error.faults:
        first = error.faults[0]
        yield from (("path", first.path), ("expected", first.expected), ("got", first.got))
    if result.hint:
        yield from result.hint.to_json().items()
    yield "retryable", error.retryable
    yield "suggestion", error.suggestion or None
    yield "effect", result.effect.value
    yield "changed", list(result.changes) or None
    yield "notes", list(result.notes) or None


def _error(result: ToolResult) -> CallError:
    if result.error is not None:
        return result.error
    unsaid = (ErrorCode.EXECUTION_FAILED, "The tool failed.")
    return CallError.of(*_UNSAID.get(result.outcome, unsaid))


def _plain(result: ToolResult) -> str:
    if result.is_error:
        told = envelope(result)
        code, retryable = told["error_code"], told["retryable"]
        first = " ".join(filter(None, (f"Error {code}:", told["message"], told.get("suggestion"))))
        help_ = [f"[{name}: {json_text(told[name])}]" for name in _HELP if name in told]
        retry = "retryable" if retryable else "not retryable"
        last = f"[{retry}; effect: {result.effect.value}]"
        return "\n".join([first, *help_, last, *_remarks(result)])
    content = result.content
    text = "[no content]" if content in (None, "") else content
    lines = [text if isinstance(text, str) else json_text(text), *_notes(result)]
    return "\n".join(lines)


def _notes(result: ToolResult) -> Iterator[str]:
    """Say in brackets what an envelope would say beside the content."""
    if result.source is not None:
        yield f"[source: {result.source}]"
    if result.truncated:
        yield "[truncated]"
    if result.next_cursor is not None:
        yield f"[next_cursor: {result.next_cursor}]"
    if result.effect is not Effect.NONE:
        yield f"[effect: {result.effect.value}]"
    yield from _remarks(result)


def _remarks(result: ToolResult) -> Iterator[str]:
    for change in result.changes:
        yield f"[changed: {change}]"
    for note in result.notes:
        yield f"[note: {note}]"
