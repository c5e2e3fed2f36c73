"""The shapes of the formats, and whose format a transcript is in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from toolferry import ConfigurationError
from toolferry_dispatcher.providers import (
    Anthropic,
    BedrockConverse,
    Cohere,
    Gemini,
    OpenAIChat,
    OpenAIResponses,
    Provider,
)
from toolferry_dispatcher.transcripts.block_shapes import (
    AnthropicShape,
    BedrockShape,
    GeminiShape,
)
from toolferry_dispatcher.transcripts.chat_shape import ChatShape
from toolferry_dispatcher.transcripts.parts import Message, Shape
from toolferry_dispatcher.transcripts.responses_shape import ResponsesShape

#: The name of each format, what reads it, and where its calls and results stand. An alias is read
#: by what reads its base; Cohere's messages look like those of the first.
_FORMATS: Final[tuple[tuple[str, type, Shape], ...]] = (
    ("openai-chat", OpenAIChat, ChatShape()),
    ("openai-responses", OpenAIResponses, ResponsesShape()),
    ("anthropic", Anthropic, AnthropicShape()),
    ("bedrock-converse", BedrockConverse, BedrockShape()),
    ("gemini", Gemini, GeminiShape()),
    ("cohere-v2", Cohere, ChatShape()),
)


def shape_of(provider: Provider) -> Shape:
    """Give the shape of a provider's conversations.

    Raises:
        ConfigurationError: It has none, such as plain calls.
    """
    for _, reader, shape in _FORMATS:
        if isinstance(provider, reader):
            return shape
    fitting = ", ".join(name for name, _, _ in _FORMATS)
    reason = f"{provider.name!r} has no conversations to look at; {fitting} have"
    raise ConfigurationError("provider", reason)


def guess_provider(messages: Sequence[Message]) -> str:
    """Tell whose format a conversation is in: in which one most calls and results are found.

    >>> guess_provider([{"role": "model", "parts": [{"functionCall": {"name": "now"}}]}])
    'gemini'
    """

    def found(name: str, shape: Shape) -> tuple[int, bool]:
        count = sum(len(entry.calls) + len(entry.results) for entry in shape.split(messages))
        return count, name == "cohere-v2" and has_plan

    has_plan = any("tool_plan" in message for message in messages)
    # The first of those that find as many; a plan is Cohere's alone.
    return max(_FORMATS, key=lambda one: found(one[0], one[2]))[0]
