"""The pieces in which a streamed item tells what it says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Part:
    """A kind of pieces, and the place in the item where they belong."""

    #: The type of an item that has them.
    item: str
    #: The field that the text fills: of the item, or of its part.
    field: str
    #: The list of the item that its parts are in; empty when the item itself has the field.
    parts: str = ""
    #: The type of the part.
    part: str = ""
    #: What of the event says which part it is.
    index: str = ""


_PARTS: Final[Mapping[str, Part]] = {
    "function_call_arguments": Part("function_call", "arguments"),
    "custom_tool_call_input": Part("custom_tool_call", "input"),
    "mcp_call_arguments": Part("mcp_call", "arguments"),
    "code_interpreter_call_code": Part("code_interpreter_call", "code"),
    "output_text": Part("message", "text", "content", "output_text", "content_index"),
    "refusal": Part("message", "refusal", "content", "refusal", "content_index"),
    "reasoning_text": Part("reasoning", "text", "content", "reasoning_text", "content_index"),
    "reasoning_summary_text": Part("reasoning", "text", "summary", "summary_text", "summary_index"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, or the whole of it."""

    part: Part
    #: Which of the item's parts, from 0; 0 when it has none.
    index: int
    text: str
    #: Whether it is the whole text, in place of what came before.
    is_whole: bool
    #: Where it stands among the events; 0 when they are not counted.
    number: int


def piece_of(kind: str, event: Mapping[str, Any]) -> Piece | None:
    """Read the piece that an event brings; None when it brings none.

    >>> piece_of("response.function_call_arguments.delta", {"delta": "{"}).text
    '{'
    """
    name, _, ending = kind.removeprefix("response.").rpartition(".")
    part = _PARTS.get(name)
    if part is None or ending not in {"delta", "done"}:
        return None
    is_whole = ending == "done"
    text = event.get(part.field if is_whole else "delta")
    if not isinstance(text, str):
        return None
    return Piece(part, place(event, part.index), text, is_whole, place(event, "sequence_number"))


def place(event: Mapping[str, Any], field: str) -> int:
    """Read a place among others; 0 when the event does not tell it."""
    value = event.get(field)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
