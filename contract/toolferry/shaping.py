"""Shaping: what a handler returned becomes the content of a result, within its tool's limits."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from toolferry.answer import Answer
from toolferry.artifact import Artifact, artifact_of
from toolferry.blanks import leave_out
from toolferry.convert import named, to_json_data
from toolferry.errors import CancelCall, ConversionFailed, RetryCall, ToolError
from toolferry.limits import MAX_RETURN_BYTES
from toolferry.record import record
from toolferry.result_schema import ResultValidator
from toolferry.tool import Tool
from toolferry.trim import Keep, count_kept, cut_part, goes_on_at, trim_text
from toolferry.undoing import undo_data
from toolferry.wording import clean_text, json_text

#: Takes something out of JSON data.
Treatment: TypeAlias = Callable[[Any], Any]

#: Characters of a cursor or a source; they are no place for content.
MAX_MARK: Final = 4_096
#: Characters that are measured at once: a search in all of a text would measure it many times.
_PIECE: Final = 4_096


@record(frozen=True, slots=True)
class Shaped:
    """What a handler returned, fit for a result."""

    answer: Answer
    #: All of the content, where the answer has a part of it; None where it has all.
    artifact: Artifact | None


def shape(tool: Tool, value: Any, treat: Treatment | None = None) -> Answer:
    """Turn what a handler returned into the content of a result; see `shape_whole`.

    Raises:
        ConversionFailed: As `shape_whole`; so with all that it raises.
    """
    return shape_whole(tool, value, treat).answer


def shape_whole(tool: Tool, value: Any, treat: Treatment | None = None) -> Shaped:
    """Turn what a handler returned into the content of a result, and keep what was cut.

    1. The tool's adapter turns the value into what the model shall see.
    2. An `Answer` is opened; bare content is put into one.
    3. The content becomes JSON data (`toolferry.convert`).
    4. It has to fit the tool's `result_schema`.
    5. What the tool names in `redact` is taken out, of the source too, and what else must not be in
       it.
    6. Content whose JSON text is larger than the tool's `max_result_bytes`, or has more tokens than
       its `trim` allows, is cut and marked: a text between two characters; anything else as its
       JSON text. More than 32 MiB is refused.

    Args:
        tool: Whose handler it was.
        value: What it returned.
        treat: Takes out of the content, as JSON data, what must not be in it; None: nothing.

    Raises:
        ConversionFailed: The value cannot become a result; another attempt cannot help.
        ToolError: The adapter raised it; so with `RetryCall` and `CancelCall`.
    """
    adapted = _adapted(tool, value)
    answer = adapted if isinstance(adapted, Answer) else Answer(content=adapted)
    _check_mark(tool, "next_cursor", answer.next_cursor)
    _check_mark(tool, "source", answer.source)
    undo = undo_data(tool, answer.undo)
    try:
        content, artifact = _fitted(tool, answer.content, treat, tool.result_validator)
    except ConversionFailed as error:
        raise ConversionFailed(tool.name, error.reason, error.code, undo) from error
    truncated = bool(answer.truncated) or artifact is not None
    source = answer.source and leave_out(answer.source, tool.redact)
    shaped = Answer(
        content=content,
        truncated=truncated,
        next_cursor=answer.next_cursor,
        source=source,
        undo=undo,
    )
    return Shaped(shaped, artifact)


def reshape(tool: Tool, content: Any, treat: Treatment | None = None) -> Answer:
    """Fit content that takes the place of what a handler returned, within its tool's limits.

    It need not fit the tool's `result_schema`: that is the author's word about what his tool gives.

    Args:
        tool: Whose handler it was.
        content: What takes its place.
        treat: As of `shape`.

    Raises:
        ConversionFailed: It cannot become a result.
    """
    data, artifact = _fitted(tool, content, treat, None)
    return Answer(content=data, truncated=artifact is not None)


def cut_text(text: str, limit: int) -> str:
    """Give the longest beginning of a text whose JSON text has at most `limit` bytes, 2 or more.

    >>> cut_text("größer", 8)
    'größ'
    """
    room = limit - 2  # the quotes
    for start in range(0, len(text), _PIECE):
        piece = text[start : start + _PIECE]
        room -= json_size(piece) - 2
        if room < 0:
            return text[:start] + _cut_piece(piece, json_size(piece) + room)
    return text


def _cut_piece(piece: str, limit: int) -> str:
    ends = range(1, len(piece) + 1)
    return piece[: bisect_right(ends, limit, key=lambda end: json_size(piece[:end]))]


def json_size(data: Any) -> int:
    """Count the bytes of JSON data as text in UTF-8.

    >>> json_size("é")
    4
    """
    return len(json_text(data).encode())


def _adapted(tool: Tool, value: Any) -> Any:
    if tool.adapter is None:
        return value
    try:
        return tool.adapter(value)
    except (ToolError, RetryCall, CancelCall):
        raise
    except Exception as error:  # the adapter is the tool's code and may raise anything
        reason = f"has a result adapter that raised {type(error).__name__}"
        raise ConversionFailed(tool.name, reason) from error


def _check_mark(tool: Tool, word: str, mark: object) -> None:
    if mark is None or (isinstance(mark, str) and len(mark) <= MAX_MARK):
        return
    what = f"{len(mark):,} characters" if isinstance(mark, str) else named(mark)
    raise ConversionFailed(
        tool.name, f"returned {what} as {word}, which must be a text of at most {MAX_MARK:,}"
    )


def _fitted(
    tool: Tool, content: Any, treat: Treatment | None, judge: ResultValidator | None
) -> tuple[Any, Artifact | None]:
    """Give the content as JSON data, and all of it when it was cut to its limit."""
    limit = tool.max_result_bytes
    # What is taken out may lie across the cut, and what is judged is judged whole.
    whole = treat is not None or bool(tool.redact) or judge is not None
    if not whole and isinstance(content, str) and limit < len(content) <= MAX_RETURN_BYTES:
        return _trimmed(tool, content)
    data = to_json_data(tool.name, content)
    if judge is not None:
        judge.require(data)
    if tool.redact:
        data = leave_out(data, tool.redact)
    if treat is not None:
        data = treat(data)
    text = json_text(data)
    read = data if isinstance(data, str) else text
    if len(text) <= limit and len(text.encode()) <= limit and not _is_over(tool, read):
        return data, None
    return _trimmed(tool, read)


def _trimmed(tool: Tool, text: str) -> tuple[str, Artifact]:
    part, goes_on = _cut(tool, text)
    return part, artifact_of(text, goes_on)


def _cut(tool: Tool, text: str) -> tuple[str, int]:
    """Give the part that stays, and the first character that it lacks."""
    limit, keep = tool.max_result_bytes, tool.trim.keep
    if keep is not Keep.HEAD:
        kept = count_kept(text, keep, _fits(tool), limit)
        return clean_text(cut_part(text, keep, kept)), goes_on_at(keep, kept)
    head = cut_text(clean_text(text[:limit]), limit)
    if _is_over(tool, head):
        head = trim_text(head, Keep.HEAD, _fits(tool), limit)
    return head, len(head)


def _fits(tool: Tool) -> Callable[[str], bool]:
    limit = tool.max_result_bytes
    return lambda text: json_size(clean_text(text)) <= limit and not _is_over(tool, text)


def _is_over(tool: Tool, text: str) -> bool:
    try:
        return tool.trim.is_over(text)
    except Exception as error:  # the counter is the tool's code and may raise anything
        reason = f"has a counter of tokens that raised {type(error).__name__}"
        raise ConversionFailed(tool.name, reason) from error
