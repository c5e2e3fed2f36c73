"""The rules of Bedrock Converse for a request.

Source: the service model of `bedrock-runtime` in `botocore` 1.44; API reference, Converse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
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
_ID: Final = "[a-zA-Z0-9_.:-]{1,64}"
_RESULT_PARTS: Final = frozenset({"text", "json", "image", "document", "video", "searchResult"})

Blocks = Sequence[Mapping[str, Any]]


def check(request: Mapping[str, Any]) -> None:
    """Refuse a request as the API would.

    Raises:
        Refused: A rule is broken.
    """
    messages = need_list(request.get("messages"), "messages")
    need(messages, "messages: at least one message is required", "messages")
    for at, message in enumerate(messages):
        _check_message(need_object(message, f"messages.{at}"), f"messages.{at}")
    _check_roles(messages)
    _check_tools(request.get("toolConfig"), messages)
    _check_pairs(messages)
    calls = [call["toolUseId"] for message in messages for call in _of(message, "toolUse")]
    need_unique(calls, "The toolUse id {} is there twice.", "messages")


def _check_roles(messages: Sequence[Mapping[str, Any]]) -> None:
    roles = [message["role"] for message in messages]
    need(roles[0] == "user", "A conversation must start with a user message.", "messages")
    alternates = all(one != other for one, other in pairwise(roles))
    need(
        alternates,
        "A conversation must alternate between user and assistant roles. Make sure the"
        " conversation alternates between user and assistant roles and try again.",
        "messages",
    )


def _check_message(message: Mapping[str, Any], where: str) -> None:
    need(message.get("role") in {"user", "assistant"}, f"{where}.role: invalid", where)
    blocks = need_list(message.get("content"), f"{where}.content")
    need(blocks, f"The content field of the message at {where} is empty.", where)
    for at, block in enumerate(blocks):
        place = f"{where}.content.{at}"
        need(len(need_object(block, place)) == 1, f"{place}: must set exactly one member", place)
        if "text" in block:
            text = need_text(block["text"], place)
            need(text.strip(), f"The text field in the ContentBlock at {place} is blank.", place)
        if "toolUse" in block:
            need(message["role"] == "assistant", f"{place}: toolUse in a user message", place)
            _check_call(need_object(block["toolUse"], place), place)
        if "toolResult" in block:
            need(message["role"] == "user", f"{place}: toolResult in an assistant message", place)
            _check_result(need_object(block["toolResult"], place), place)


def _check_call(call: Mapping[str, Any], where: str) -> None:
    need_name(call.get("toolUseId"), _ID, f"{where}.toolUse.toolUseId")
    need_name(call.get("name"), NAME, f"{where}.toolUse.name")
    is_object = isinstance(call.get("input"), Mapping)
    need(is_object, f"The format of the value at {where}.toolUse.input is invalid.", where)


def _check_result(result: Mapping[str, Any], where: str) -> None:
    need_name(result.get("toolUseId"), _ID, f"{where}.toolResult.toolUseId")
    status = result.get("status", "success")
    need(status in {"success", "error"}, f"{where}.toolResult.status: invalid", where)
    parts = need_list(result.get("content"), f"{where}.toolResult.content")
    for part in parts:
        kinds = need_object(part, where).keys()
        fits = len(kinds) == 1 and kinds <= _RESULT_PARTS
        need(fits, f"{where}.toolResult.content: unexpected {sorted(kinds)}", where)
        if "text" in part:
            need_text(part["text"], where)
    only_text = all("text" in part for part in parts)
    need(status == "success" or only_text, f"{where}: an error may hold text only", where)


def _check_tools(config: Any, messages: Sequence[Mapping[str, Any]]) -> None:
    if config is None:
        used = any(_of(message, "toolUse") for message in messages)
        missing = "The toolConfig field must be defined when using toolUse and toolResult content."
        need(not used, missing, "toolConfig")
        return
    tools = need_list(need_object(config, "toolConfig").get("tools"), "toolConfig.tools")
    need(tools, "toolConfig.tools: must hold at least one tool", "toolConfig.tools")
    for at, tool in enumerate(tools):
        where = f"toolConfig.tools.{at}.toolSpec"
        spec = need_object(tool.get("toolSpec"), where)
        need_name(spec.get("name"), NAME, f"{where}.name")
        description = spec.get("description", "-")
        need(need_text(description, where), f"{where}.description: must not be empty", where)
        need_schema(need_object(spec.get("inputSchema"), where).get("json"), where)
    names = [tool["toolSpec"]["name"] for tool in tools]
    need_unique(names, "The tool name {} is there twice.", "toolConfig.tools")


def _check_pairs(messages: Sequence[Mapping[str, Any]]) -> None:
    """Require the results of a message's calls, all of them and no others, in the next one."""
    before: list[str] = []
    for at, message in enumerate(messages):
        results = [result["toolUseId"] for result in _of(message, "toolResult")]
        need_unique(results, "The toolResult of {} is there twice.", f"messages.{at}")
        need(
            set(results) <= set(before),
            f"The number of toolResult blocks at messages.{at}.content exceeds the number of"
            " toolUse blocks of previous turn.",
            f"messages.{at}",
        )
        _need_answered(before, results, at)
        before = [call["toolUseId"] for call in _of(message, "toolUse")]
    _need_answered(before, [], len(messages))


def _need_answered(calls: Sequence[str], results: Sequence[str], at: int) -> None:
    missing = [call_id for call_id in calls if call_id not in results]
    need(
        not missing,
        f"Expected toolResult blocks at messages.{at}.content for the following Ids: "
        + ", ".join(missing),
        f"messages.{at}",
    )


def _of(message: Mapping[str, Any], kind: str) -> list[Mapping[str, Any]]:
    return [block[kind] for block in message["content"] if kind in block]
