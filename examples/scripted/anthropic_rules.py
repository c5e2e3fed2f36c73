"""The rules of the Messages API for a request.

Source: types of the `anthropic` package 2.14, lib/tools/_toolsets/_sanitize.py; documentation, Tool
use and Extended thinking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from examples.scripted.refusal import (
    need,
    need_list,
    need_name,
    need_object,
    need_schema,
    need_text,
    need_unique,
)

NAME: Final = "[a-zA-Z0-9_-]{1,64}"
_ID: Final = "[a-zA-Z0-9_-]+"
_RESULT_PARTS: Final = frozenset(
    {"text", "image", "document", "search_result", "tool_reference", "browser_state"}
)

Blocks = Sequence[Mapping[str, Any]]


def check(request: Mapping[str, Any]) -> None:
    """Refuse a request as the API would.

    Raises:
        Refused: A rule is broken.
    """
    need_text(request.get("model"), "model")
    need(request.get("max_tokens"), "max_tokens: Field required", "max_tokens")
    _check_tools(request.get("tools"))
    messages = need_list(request.get("messages"), "messages")
    need(messages, "messages: at least one message is required", "messages")
    for at, message in enumerate(messages):
        need_object(message, f"messages.{at}")
        need(message.get("role") in {"user", "assistant"}, "Unexpected role", f"messages.{at}")
    said = _joined(messages)
    need(said[0][0] == "user", 'messages: first message must use the "user" role', "messages")
    for at, (role, blocks) in enumerate(said):
        _check_blocks(role, blocks, f"messages.{at}.content")
    _check_pairs(said)
    ids = [block["id"] for _, blocks in said for block in blocks if block["type"] == "tool_use"]
    need_unique(ids, "messages: `tool_use` ids must be unique: {}", "messages")


def _joined(messages: Sequence[Mapping[str, Any]]) -> list[tuple[str, Blocks]]:
    """Give the messages as blocks; neighbours of one role are one message to the API."""
    joined: list[tuple[str, list[Mapping[str, Any]]]] = []
    for at, message in enumerate(messages):
        content = message.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        blocks = need_list(content, f"messages.{at}.content")
        need(blocks, f"messages.{at}: content must not be empty", f"messages.{at}")
        if joined and joined[-1][0] == message["role"]:
            joined[-1][1].extend(blocks)
        else:
            joined.append((message["role"], list(blocks)))
    return list(joined)


def _check_tools(tools: Any) -> None:
    if tools is None:
        return
    ours = [tool for tool in need_list(tools, "tools") if tool.get("type", "custom") == "custom"]
    for at, tool in enumerate(ours):
        need_name(tool.get("name"), NAME, f"tools.{at}.custom.name")
        need_text(tool.get("description", ""), f"tools.{at}.custom.description")
        need_schema(tool.get("input_schema"), f"tools.{at}.custom.input_schema")
    need_unique([tool["name"] for tool in tools], "tools: Tool names must be unique.", "tools")


def _check_blocks(role: str, blocks: Blocks, where: str) -> None:
    for at, block in enumerate(blocks):
        kind = need_object(block, where).get("type")
        place = f"{where}.{at}"
        if kind == "text":
            text = need_text(block.get("text"), f"{place}.text")
            need(text.strip(), "messages: text content blocks must be non-empty", place)
        elif kind == "tool_use":
            _check_call(role, block, place)
        elif kind == "tool_result":
            need(role == "user", "`tool_result` blocks can only be in `user` messages", place)
            _check_result(block, place)
        elif kind == "thinking":
            need(block.get("signature"), f"{place}.thinking.signature: Field required", place)
    if role == "assistant":
        _check_order(blocks, where)


def _check_call(role: str, block: Mapping[str, Any], where: str) -> None:
    need(role == "assistant", "`tool_use` blocks can only be in `assistant` messages", where)
    need_name(block.get("id"), _ID, f"{where}.tool_use.id")
    need_name(block.get("name"), NAME, f"{where}.tool_use.name")
    is_object = isinstance(block.get("input"), Mapping)
    need(is_object, f"{where}.tool_use.input: Input should be a valid dictionary", where)


def _check_result(block: Mapping[str, Any], where: str) -> None:
    need_name(block.get("tool_use_id"), _ID, f"{where}.tool_result.tool_use_id")
    content = block.get("content", "")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for part in need_list(parts, where):
        kind = need_object(part, where).get("type")
        need(kind in _RESULT_PARTS, f"{where}.tool_result.content: unexpected {kind}", where)
        if kind == "text":
            need_text(part.get("text"), where)
    if block.get("is_error"):
        is_text = all(part["type"] == "text" and part["text"] for part in parts)
        message = f"{where}: when `is_error` is true, content must be non-empty text"
        need(parts and is_text, message, where)


def _check_order(blocks: Blocks, where: str) -> None:
    """Require thoughts first, and nothing but calls behind a call."""
    kinds = [block["type"] for block in blocks]
    if "tool_use" in kinds:
        behind = set(kinds[kinds.index("tool_use") :])
        need(behind == {"tool_use"}, f"{where}: nothing may follow `tool_use` but more", where)
    thoughts = [kind for kind in kinds if kind in {"thinking", "redacted_thinking"}]
    if thoughts:
        is_first = kinds[0] in {"thinking", "redacted_thinking"}
        need(is_first, f"{where}: Expected `thinking`, but found `{kinds[0]}`", where)


def _check_pairs(said: Sequence[tuple[str, Blocks]]) -> None:
    """Require the results of a message's calls at the beginning of the next one."""
    before: list[str] = []
    for at, (_, blocks) in enumerate(said):
        place = f"messages.{at}"
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        kinds = [block["type"] for block in blocks[: len(results)]]
        leads = all(kind == "tool_result" for kind in kinds)
        need(leads, f"{place}: `tool_result` blocks must come first", place)
        for call_id in results:
            unexpected = f"{place}: unexpected `tool_use_id` found in `tool_result`: {call_id}"
            need(call_id in before, unexpected, place)
        need_unique(results, "each `tool_use` must have a single result: {}", place)
        _need_answered(before, results, place)
        before = [block["id"] for block in blocks if block["type"] == "tool_use"]
    _need_answered(before, [], f"messages.{len(said)}")


def _need_answered(calls: Sequence[str], results: Sequence[str], where: str) -> None:
    missing = [call_id for call_id in calls if call_id not in results]
    need(
        not missing,
        f"{where}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        + ", ".join(missing),
        where,
    )
