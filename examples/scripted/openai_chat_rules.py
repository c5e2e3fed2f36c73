"""The rules of Chat Completions for a request, and those of DeepSeek, which speaks it too.

Source: types/chat of the `openai` package 3.57; API reference, Create chat completion; DeepSeek
API guide, Thinking mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from examples.scripted.refusal import (
    Refused,
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
_MAX_TOOLS: Final = 128
_ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool"})


def check(request: Mapping[str, Any]) -> None:
    """Refuse a request as the API would.

    Raises:
        Refused: A rule is broken.
    """
    need_text(request.get("model"), "model")
    _check_tools(request.get("tools"))
    messages = need_list(request.get("messages"), "messages")
    need(messages, "Invalid 'messages': empty array.", "messages")
    for at, message in enumerate(messages):
        _check_message(need_object(message, f"messages[{at}]"), f"messages[{at}]")
    _check_answers(messages)
    ids = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    need_unique(ids, "Duplicate value for 'tool_call_id' of '{}'.", "messages")


def check_thoughts(request: Mapping[str, Any]) -> None:
    """Refuse a request in which thoughts are missing beside calls, as DeepSeek does.

    Raises:
        Refused: They are.
    """
    for at, message in enumerate(request["messages"]):
        has_thoughts = isinstance(message.get("reasoning_content"), str)
        need(
            has_thoughts or not message.get("tool_calls"),
            "The reasoning_content in the thinking mode must be passed back to the API.",
            f"messages[{at}]",
        )


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    need(need_list(tools, "tools"), "Invalid 'tools': empty array.", "tools")
    need(len(tools) <= _MAX_TOOLS, "Invalid 'tools': array too long.", "tools")
    for at, tool in enumerate(tools):
        where = f"tools[{at}].function"
        need(need_object(tool, where).get("type") == "function", "Unknown tool type.", where)
        function = need_object(tool.get("function"), where)
        need_name(function.get("name"), NAME, f"{where}.name")
        need_text(function.get("description", ""), f"{where}.description")
        if "parameters" in function:
            need_schema(function["parameters"], f"{where}.parameters")
    names = [tool["function"]["name"] for tool in tools]
    need_unique(names, "Tool names must be unique: '{}'.", "tools")


def _check_message(message: Mapping[str, Any], where: str) -> None:
    role = message.get("role")
    need(role in _ROLES, f"Invalid value for '{where}.role'.", f"{where}.role")
    if role == "assistant":
        _check_assistant(message, where)
        return
    if role == "tool":
        need_text(message.get("tool_call_id"), f"{where}.tool_call_id")
    _check_content(message.get("content"), where, only_text=role == "tool")


def _check_assistant(message: Mapping[str, Any], where: str) -> None:
    calls = message.get("tool_calls")
    if calls is not None:
        need(need_list(calls, f"{where}.tool_calls"), "Invalid 'tool_calls': empty array.", where)
        for at, call in enumerate(calls):
            _check_call(need_object(call, where), f"{where}.tool_calls[{at}]")
    content = message.get("content")
    missing = f"Invalid value for '{where}.content': expected a string, got null."
    need(content is not None or calls or message.get("audio"), missing, where)
    if content is not None:
        _check_content(content, where, only_text=True)


def _check_call(call: Mapping[str, Any], where: str) -> None:
    need(need_text(call.get("id"), f"{where}.id"), f"Invalid '{where}.id': empty string.", where)
    kind = call.get("type")
    if kind == "custom":
        custom = need_object(call.get("custom"), f"{where}.custom")
        need_name(custom.get("name"), NAME, f"{where}.custom.name")
        need_text(custom.get("input"), f"{where}.custom.input")
        return
    need(kind == "function", f"Missing required parameter: '{where}.type'.", where)
    function = need_object(call.get("function"), f"{where}.function")
    need_name(function.get("name"), NAME, f"{where}.function.name")
    need_json_object(function.get("arguments"), f"{where}.function.arguments")


def _check_content(content: Any, where: str, *, only_text: bool) -> None:
    if isinstance(content, str):
        need_text(content, f"{where}.content")
        return
    parts = need_list(content, f"{where}.content")
    need(parts, f"Invalid '{where}.content': empty array.", where)
    for part in parts:
        kind = need_object(part, where).get("type")
        need(
            kind in {"text", "refusal"} or not only_text,
            f"Invalid '{where}.content': only text is supported here.",
            where,
        )
        if kind == "text":
            need_text(part.get("text"), f"{where}.content.text")


def _check_answers(messages: Sequence[Mapping[str, Any]]) -> None:
    """Require each call to be answered once, right behind its message, before anything else."""
    open_ids: list[str] = []
    for at, message in enumerate(messages):
        where = f"messages[{at}]"
        if message["role"] == "tool":
            _take_answer(open_ids, message["tool_call_id"], where)
            continue
        _need_none(open_ids, where)
        open_ids = [call["id"] for call in message.get("tool_calls") or ()]
        need_unique(open_ids, "Duplicate value for 'tool_call_id' of '{}' in message.", where)
    _need_none(open_ids, "messages")


def _take_answer(open_ids: list[str], call_id: str, where: str) -> None:
    if call_id not in open_ids:
        raise Refused(
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding"
            " message with 'tool_calls'.",
            f"{where}.role",
        )
    open_ids.remove(call_id)


def _need_none(open_ids: Sequence[str], where: str) -> None:
    need(
        not open_ids,
        "An assistant message with 'tool_calls' must be followed by tool messages responding to"
        " each 'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(open_ids),
        where,
    )
