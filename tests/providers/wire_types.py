"""The official types of Chat Completions as a judge of what we send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from openai.types.chat import (
    ChatCompletionAssistantMessageParam,
    ChatCompletionMessageToolCallUnionParam,
    ChatCompletionToolMessageParam,
    ChatCompletionToolUnionParam,
)
from pydantic import TypeAdapter

_ASSISTANT = TypeAdapter(ChatCompletionAssistantMessageParam)
_CALL: TypeAdapter[Any] = TypeAdapter(ChatCompletionMessageToolCallUnionParam)
_RESULT = TypeAdapter(ChatCompletionToolMessageParam)
_TOOL: TypeAdapter[Any] = TypeAdapter(ChatCompletionToolUnionParam)


def require_messages(messages: Sequence[Mapping[str, Any]]) -> None:
    """Require one assistant message and, right behind it, its results.

    The types validate lists only when they are walked, so the calls are judged one by one.

    Raises:
        pydantic.ValidationError: Something is not what the API takes.
    """
    _ASSISTANT.validate_python(messages[0])
    for call in messages[0].get("tool_calls", ()):
        _CALL.validate_python(call)
    for result in messages[1:]:
        _RESULT.validate_python(result)


def require_tools(tools: Sequence[Mapping[str, Any]]) -> None:
    """Require tools that the API takes.

    Raises:
        pydantic.ValidationError: One is not.
    """
    for tool in tools:
        _TOOL.validate_python(tool)
