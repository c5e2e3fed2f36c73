"""The official types of Cohere's Chat API as a judge of what we send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cohere.types import AssistantChatMessageV2, ToolChatMessageV2, ToolV2


def require_messages(messages: Sequence[Mapping[str, Any]]) -> None:
    """Require the model's message and, right behind it, one result a call, in their order.

    Raises:
        pydantic.ValidationError: A message is not what the API takes.
        AssertionError: The results do not answer the calls, or a message has a field too many.
    """
    first = AssistantChatMessageV2.model_validate(messages[0])
    results = [ToolChatMessageV2.model_validate(message) for message in messages[1:]]
    assert [result.tool_call_id for result in results] == [
        call.id for call in first.tool_calls or ()
    ]
    assert not any(message.model_extra for message in (first, *results))
    assert first.tool_calls or first.content


def require_tools(tools: Sequence[Mapping[str, Any]]) -> None:
    """Require tools that the API takes.

    Raises:
        pydantic.ValidationError: One is not.
    """
    for tool in tools:
        assert not ToolV2.model_validate(tool).model_extra
