"""The rules of the Responses API for a request.

Source: types/responses of the `openai` package 3.57; API reference, Create a model response.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from examples.scripted.refusal import (
    need,
    need_json_object,
    need_list,
    need_name,
    need_object,
    need_schema,
    need_text,
    need_unique,
)

NAME: Final = "[a-zA-Z0-9_-]{1,64}"
_CALLS: Final = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
}
_OUTPUT_PARTS: Final = frozenset({"input_text", "input_image", "input_file"})
#: What SDKs add to items, and the API does not know.
_UNKNOWN: Final = ("parsed_arguments", "parsed", "created_by")
_MAX_ID: Final = 64


def check(request: Mapping[str, Any]) -> None:
    """Refuse a request as the API would.

    Raises:
        Refused: A rule is broken.
    """
    need_text(request.get("model"), "model")
    _check_tools(request.get("tools"))
    given = request.get("input")
    if isinstance(given, str):
        return
    items = need_list(given, "input")
    need(items, "Invalid 'input': empty array.", "input")
    for at, item in enumerate(items):
        _check_item(need_object(item, f"input[{at}]"), f"input[{at}]")
    _check_pairs(items)
    _check_reasoning(items)
    ids = [item["id"] for item in items if isinstance(item.get("id"), str)]
    need_unique(ids, "Duplicate item found with id {}. Remove duplicate items.", "input")


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    for at, tool in enumerate(need_list(tools, "tools")):
        where = f"tools[{at}]"
        if need_object(tool, where).get("type") != "function":
            continue
        need_name(tool.get("name"), NAME, f"{where}.name")
        need("function" not in tool, f"Unknown parameter: '{where}.function'.", where)
        need_schema(tool.get("parameters"), f"{where}.parameters")
    names = [tool["name"] for tool in tools if tool.get("type") == "function"]
    need_unique(names, "Tool names must be unique: '{}'.", "tools")


def _check_item(item: Mapping[str, Any], where: str) -> None:
    for name in _UNKNOWN:
        need(name not in item, f"Unknown parameter: '{where}.{name}'.", where)
    kind = item.get("type", "message")
    if kind == "message":
        _check_message(item, where)
    if kind in _CALLS or kind in _CALLS.values():
        call_id = need_text(item.get("call_id"), f"{where}.call_id")
        too_long = f"Invalid '{where}.call_id': string too long. Expected a maximum length of 64."
        need(0 < len(call_id) <= _MAX_ID, too_long, where)
    if kind == "function_call":
        need_name(item.get("name"), NAME, f"{where}.name")
        need_json_object(item.get("arguments"), f"{where}.arguments")
    if kind == "custom_tool_call":
        need_text(item.get("input"), f"{where}.input")
    if kind in _CALLS.values():
        _check_output(item.get("output"), f"{where}.output")


def _check_message(item: Mapping[str, Any], where: str) -> None:
    roles = {"user", "assistant", "system", "developer"}
    need(item.get("role") in roles, f"Invalid value for '{where}.role'.", where)
    content = item.get("content")
    if isinstance(content, str):
        need_text(content, f"{where}.content")
        return
    for part in need_list(content, f"{where}.content"):
        need_object(part, f"{where}.content")
        is_said = str(part.get("type")).startswith(("output_", "refusal"))
        is_fit = is_said if item["role"] == "assistant" else not is_said
        need(is_fit, f"Invalid value for '{where}.content.type'.", where)


def _check_output(output: Any, where: str) -> None:
    if isinstance(output, str):
        need_text(output, where)
        return
    parts = need_list(output, where)
    need(parts, f"Invalid '{where}': empty array.", where)
    for part in parts:
        kind = need_object(part, where).get("type")
        need(kind in _OUTPUT_PARTS, f"Invalid value for '{where}.type': {kind!r}.", where)


def _check_pairs(items: Sequence[Mapping[str, Any]]) -> None:
    """Require each call to have one output behind it, and each output its call before it."""
    wanted: dict[str, str] = {}
    called = [item["call_id"] for item in items if item.get("type") in _CALLS]
    need_unique(called, "Duplicate call_id {} in input.", "input")
    for item in items:
        kind = str(item.get("type", "message"))
        if kind in _CALLS and item.get("async") is not True:
            wanted[item["call_id"]] = _CALLS[kind]
        elif kind in _CALLS.values():
            _need_call(item, called, wanted)
    need(
        not wanted,
        f"No tool output found for function call {next(iter(wanted), '')}.",
        "input",
    )


def _need_call(item: Mapping[str, Any], called: Sequence[str], wanted: dict[str, str]) -> None:
    call_id = item["call_id"]
    missing = f"No tool call found for function call output with call_id {call_id}."
    need(call_id in called, missing, "input")
    fits = wanted.pop(call_id, item["type"]) == item["type"]
    need(fits, f"The output of {call_id} is not of the type of its call.", "input")


def _check_reasoning(items: Sequence[Mapping[str, Any]]) -> None:
    """Require what was thought to be followed by what came of it."""
    following = [*items[1:], {}]
    for item, after in zip(items, following, strict=True):
        if item.get("type") != "reasoning":
            continue
        kind = str(after.get("type", "message" if after else ""))
        is_asked = kind in {"message", "mcp_approval_response"} or kind.endswith("_output")
        is_ours = after.get("role") == "assistant" or (bool(after) and not is_asked)
        need(
            is_ours,
            f"Item '{item.get('id')}' of type 'reasoning' was provided without its required"
            " following item.",
            "input",
        )
