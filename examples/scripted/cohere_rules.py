"""The rules of Cohere's Chat API, version 2, for a request.

Source: types of the `cohere` package 7.3; documentation, Tool use.
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

#: The reference says nothing of names; servers of its models were seen to refuse `-`.
NAME: Final = "[A-Za-z_][A-Za-z0-9_]{0,63}"
#: The fields of a message, by its role.
_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "system": frozenset({"role", "content"}),
    "user": frozenset({"role", "content"}),
    "assistant": frozenset({"role", "content", "tool_calls", "tool_plan", "citations"}),
    "tool": frozenset({"role", "content", "tool_call_id"}),
}
#: The kinds of parts of a content, by the role of its message.
_PARTS: Final[Mapping[str, frozenset[str]]] = {
    "system": frozenset({"text"}),
    "user": frozenset({"text", "image_url"}),
    "assistant": frozenset({"text", "thinking"}),
    "tool": frozenset({"text", "document"}),
}


def check(request: Mapping[str, Any]) -> None:
    """Refuse a request as the API would.

    Raises:
        Refused: A rule is broken.
    """
    need_text(request.get("model"), "model")
    _check_tools(request.get("tools"))
    messages = need_list(request.get("messages"), "messages")
    need(messages, "invalid request: messages must not be empty", "messages")
    for at, message in enumerate(messages):
        _check_message(need_object(message, f"messages[{at}]"), f"messages[{at}]")
    _check_answers(messages)
    ids = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    need_unique(ids, "invalid request: the tool call id '{}' is there twice", "messages")


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    for at, tool in enumerate(need_list(tools, "tools")):
        where = f"tools[{at}].function"
        need(need_object(tool, where).get("type") == "function", "invalid tool type", where)
        function = need_object(tool.get("function"), where)
        need_name(function.get("name"), NAME, f"{where}.name")
        need_text(function.get("description", ""), f"{where}.description")
        need_schema(function.get("parameters"), f"{where}.parameters")
    names = [tool["function"]["name"] for tool in tools]
    need_unique(names, "invalid request: the tool name '{}' is there twice", "tools")


def _check_message(message: Mapping[str, Any], where: str) -> None:
    role = message.get("role")
    need(role in _FIELDS, f"invalid role at {where}", f"{where}.role")
    unknown = sorted(message.keys() - _FIELDS[str(role)])
    need(not unknown, f"unknown field at {where}: {', '.join(unknown)}", where)
    if role == "assistant":
        _check_assistant(message, where)
        return
    if role == "tool":
        need(need_text(message.get("tool_call_id"), where), f"no tool_call_id at {where}", where)
    _check_content(message.get("content"), str(role), where)


def _check_assistant(message: Mapping[str, Any], where: str) -> None:
    calls = need_list(message.get("tool_calls", []), f"{where}.tool_calls")
    for at, call in enumerate(calls):
        _check_call(need_object(call, where), f"{where}.tool_calls[{at}]")
    missing = f"invalid message at {where}: must have at least one of 'content' or 'tool_calls'"
    need(calls or message.get("content"), missing, where)
    if "content" in message:
        _check_content(message["content"], "assistant", where)
    need_text(message.get("tool_plan", ""), f"{where}.tool_plan")


def _check_call(call: Mapping[str, Any], where: str) -> None:
    need(need_text(call.get("id"), f"{where}.id"), f"no id at {where}", where)
    need(call.get("type") == "function", f"invalid type at {where}", where)
    function = need_object(call.get("function"), f"{where}.function")
    need_name(function.get("name"), NAME, f"{where}.function.name")
    need_json_object(function.get("arguments"), f"{where}.function.arguments")


def _check_content(content: Any, role: str, where: str) -> None:
    if isinstance(content, str):
        need_text(content, f"{where}.content")
        return
    for part in need_list(content, f"{where}.content"):
        kind = need_object(part, where).get("type")
        need(kind in _PARTS[role], f"invalid content at {where}: {kind}", where)
        if kind in {"text", "thinking"}:
            need_text(part.get(kind), f"{where}.content.{kind}")


def _check_answers(messages: Sequence[Mapping[str, Any]]) -> None:
    """Require each call to be answered once, right behind its message, before anything else."""
    open_ids: list[str] = []
    for at, message in enumerate(messages):
        where = f"messages[{at}]"
        if message["role"] == "tool":
            _take_answer(open_ids, message["tool_call_id"], where)
            continue
        _need_none(open_ids, where)
        open_ids = [call["id"] for call in message.get("tool_calls", ())]
        need_unique(open_ids, "invalid request: the tool call id '{}' is there twice", where)
    _need_none(open_ids, "messages")


def _take_answer(open_ids: list[str], call_id: str, where: str) -> None:
    if call_id not in open_ids:
        raise Refused(f"tool call id not found in previous tool calls at {where}: {call_id}", where)
    open_ids.remove(call_id)


def _need_none(open_ids: Sequence[str], where: str) -> None:
    need(not open_ids, f"missing tool results before {where}: {', '.join(open_ids)}", where)
