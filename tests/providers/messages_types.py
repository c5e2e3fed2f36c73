"""The official types of the Messages API as a judge of what we send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from anthropic.types import ToolParam
from anthropic.types.beta import BetaContentBlockParam, BetaMessageParam
from anthropic.types.beta.beta_tool_result_block_param import Content
from pydantic import ConfigDict, TypeAdapter

#: Pictures may be files in the types, which pydantic does not know.
_ANY = ConfigDict(arbitrary_types_allowed=True)
_MESSAGE: TypeAdapter[Any] = TypeAdapter(BetaMessageParam)
_BLOCK: TypeAdapter[Any] = TypeAdapter(BetaContentBlockParam)
_SHOWN: TypeAdapter[Any] = TypeAdapter(Content)
_TOOL = TypeAdapter(ToolParam)


def require_messages(messages: Sequence[Mapping[str, Any]]) -> None:
    """Require messages that the API takes: the types, and the rules that no type tells.

    The types validate lists only when they are walked, so the blocks are judged one by one.

    Raises:
        pydantic.ValidationError: Something is not what the API takes.
    """
    for message in messages:
        _MESSAGE.validate_python(message)
        assert message["content"], "a message must have content"
        for block in message["content"]:
            _require_block(block)
    for message, answer in zip_longest(messages, messages[1:]):
        _require_answered(message, answer)


def require_tools(tools: Sequence[Mapping[str, Any]]) -> None:
    """Require tools that the API takes.

    Raises:
        pydantic.ValidationError: One is not.
    """
    for tool in tools:
        _TOOL.validate_python(tool)
        assert tool["input_schema"]["type"] == "object"


def _require_block(block: Mapping[str, Any]) -> None:
    _BLOCK.validate_python(block)
    if block["type"] == "text":
        assert block["text"].strip(), "text must not be blank"
    if block["type"] != "tool_result":
        return
    content = block["content"]
    for shown in content if isinstance(content, list) else ():
        _SHOWN.validate_python(shown)
    if block.get("is_error"):
        kinds = {"text"} if isinstance(content, str) else {shown["type"] for shown in content}
        assert content, "an error must say something"
        assert kinds == {"text"}, "an error may hold only text"


def _require_answered(message: Mapping[str, Any], answer: Mapping[str, Any] | None) -> None:
    """Require the results of all calls first in the next message, and calls last in this one."""
    if message["role"] != "assistant":
        return
    kinds = [block["type"] for block in message["content"]]
    calls = [block["id"] for block in message["content"] if block["type"] == "tool_use"]
    assert len(set(calls)) == len(calls), "ids must be unique"
    if calls:
        behind = set(kinds[kinds.index("tool_use") :])
        assert behind <= {"tool_use", "server_tool_use", "mcp_tool_use"}
    results = [
        block["tool_use_id"]
        for block in (answer["content"] if answer else ())
        if block["type"] == "tool_result"
    ]
    assert results == calls
