"""The calls among the items of a response: read one by one, each with its echo.

A call is a `function_call` or a `custom_tool_call` that the response does not answer itself. It is
paired by its `call_id`; the `id` of its item says nothing to anybody but the provider.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolferry import CallError, ErrorCode, ToolCall
from toolferry_dispatcher.providers.free_text import FREE_TEXT
from toolferry_dispatcher.providers.given import IdForm, call_of_text
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.openai_responses_items import echo_item
from toolferry_dispatcher.providers.wire_ids import settle_wire_ids, wire_id
from toolferry_dispatcher.reply import ReadCall

#: The API refuses a `call_id` of more than 64 characters, though some servers send longer ones.
CALL_ID: Final = IdForm(pattern=r"(?s).{1,64}")
_CALLS: Final = frozenset({"function_call", "custom_tool_call"})
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})


def call_positions(items: Sequence[Mapping[str, Any]]) -> list[int]:
    """Give the positions of the calls that are ours to answer.

    >>> call_positions([{"type": "web_search_call"}, {"type": "function_call", "call_id": "a"}])
    [1]
    """
    answered = {_text(item.get("call_id")) for item in items if item.get("type") in _OUTPUTS}
    answered.discard("")
    return [
        at
        for at, item in enumerate(items)
        if item.get("type") in _CALLS and _text(item.get("call_id")) not in answered
    ]


def read_calls(
    items: Sequence[Mapping[str, Any]], seed: Callable[[], str]
) -> tuple[list[ReadCall], list[dict[str, Any]]]:
    """Read the calls of one response.

    Args:
        items: The items of the calls alone.
        seed: Gives what tells this response from others; missing ids are made from it.

    Returns:
        The calls, and their echoes for the next request; one of each for every item.
    """
    ids = settle_wire_ids([item.get("call_id") for item in items], seed, CALL_ID)
    pairs = [_read(item, call_id) for item, call_id in zip(items, ids, strict=True)]
    return [call for call, _ in pairs], [echo for _, echo in pairs]


def _read(item: Mapping[str, Any], call_id: str) -> tuple[ReadCall, dict[str, Any]]:
    name = _text(item.get("name"))
    echo = {**echo_item(item), "call_id": wire_id(call_id, CALL_ID), "name": wire_name(name)}
    if item["type"] == "custom_tool_call":
        echo["input"] = _text(item.get("input"))
        call = ReadCall(ToolCall(call_id, name, {FREE_TEXT: echo["input"]}))
    else:
        call = call_of_text(call_id, name, item.get("arguments"))
        echo["arguments"] = _echo_arguments(item.get("arguments"), call)
    fault = _fault_of(item, name)
    return ReadCall(ToolCall(call_id, name, {}), fault) if fault else call, echo


def _fault_of(item: Mapping[str, Any], name: str) -> CallError | None:
    """Say what is wrong with a call besides its arguments."""
    if not name.strip():
        return CallError.of(ErrorCode.UNKNOWN_TOOL, "The call names no tool.")
    if item.get("status") == "incomplete":
        return CallError.of(ErrorCode.TRUNCATED, "The call was not finished, so it was not run.")
    return None


def _echo_arguments(raw: object, read: ReadCall) -> str:
    """Give the arguments as a string that holds one JSON object, as received where they are so."""
    if read.fault is not None:
        return "{}"
    if isinstance(raw, str) and not read.repairs:
        return raw
    return json.dumps(read.call.arguments, ensure_ascii=False)


def _text(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
