"""The items of a response that are no calls of ours: what they say, and how they go back.

Whatever the server has run itself, or wants an application's own hands for, is never a call here:
it is not run and not answered, and goes back as it came.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

#: What a response holds and a request does not take, by the type of the item; `parsed_arguments`
#: is what the SDK adds. Source: response_output_item.py against response_input_item_param.py.
_NOT_TAKEN: Final = frozenset({"created_by", "parsed_arguments"})
_NOT_TAKEN_BY: Final[Mapping[str, frozenset[str]]] = {
    "custom_tool_call": frozenset({"status"}),
    "custom_tool_call_output": frozenset({"status"}),
}
#: What may be null in a response and only be left out in a request.
_NOT_NULL: Final[Mapping[str, frozenset[str]]] = {
    "function_call": frozenset({"async", "namespace", "status"}),
    "custom_tool_call": frozenset({"async", "namespace"}),
    "computer_call": frozenset({"action", "actions"}),
    "configuration_update": frozenset({"reasoning", "text"}),
    "image_generation_call": frozenset({"error", "svg_usage"}),
    "mcp_call": frozenset({"status"}),
    "reasoning": frozenset({"content", "status"}),
}
_NOTHING: Final[frozenset[str]] = frozenset()
#: Items that say nothing by themselves.
_SILENT: Final = frozenset({"reasoning", "message"})


def echo_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Give an item as a request takes it: as received, without what is refused there.

    >>> echo_item({"type": "reasoning", "id": "rs_1", "summary": [], "status": None})
    {'type': 'reasoning', 'id': 'rs_1', 'summary': []}
    """
    kind = item.get("type", "")
    left_out = _NOT_TAKEN | _NOT_TAKEN_BY.get(kind, _NOTHING)
    not_null = _NOT_NULL.get(kind, _NOTHING)
    echo = {
        key: value
        for key, value in item.items()
        if key not in left_out and not (value is None and key in not_null)
    }
    if kind == "message" and isinstance(echo.get("content"), list):
        echo["content"] = [_echo_part(part) for part in echo["content"]]
    if kind == "reasoning":
        echo.setdefault("summary", [])
    return echo


def _echo_part(part: Any) -> Any:
    """Give a part without what the SDK adds when it parses a text."""
    if not isinstance(part, Mapping):
        return part
    return {key: value for key, value in part.items() if key != "parsed"}


def words_of(items: Sequence[Mapping[str, Any]], kind: str, field: str) -> str:
    """Give what the messages say, in parts of one kind, one behind the other."""
    return "".join(
        part[field]
        for part in _parts_of(items)
        if part.get("type") == kind and isinstance(part.get(field), str)
    )


def is_silent(items: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether there is nothing besides messages and thoughts."""
    return all(item.get("type") in _SILENT for item in items)


def without_calls(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the items that need no answer, without the thoughts that led to those that do."""
    left_out = {"function_call", "custom_tool_call", "reasoning"}
    return [item for item in items if item.get("type") not in left_out]


def without_loose_end(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the items without thoughts that nothing follows: a request with them is refused."""
    end = len(items)
    while end and items[end - 1].get("type") == "reasoning":
        end -= 1
    return list(items[:end])


def _parts_of(items: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for item in items:
        content = item.get("content") if item.get("type") == "message" else None
        if isinstance(content, str):
            yield {"type": "output_text", "text": content}
        elif isinstance(content, list):
            yield from (part for part in content if isinstance(part, Mapping))
