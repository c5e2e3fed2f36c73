"""Transcripts: what a provider would refuse them for, and how they are mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed, ToolResult
from toolferry_dispatcher.providers import provider as provider_named
from toolferry_dispatcher.providers.json_data import as_json, kind_of
from toolferry_dispatcher.transcripts.parts import Message, WireFault, WireRule
from toolferry_dispatcher.transcripts.shapes import guess_provider, shape_of
from toolferry_dispatcher.transcripts.walk import Walk

__all__ = ["WireFault", "WireRule", "guess_provider", "lint_messages", "mend_messages"]

#: Walks after the first. What is moved away may have parted what is one message, which is then
#: read as one: the next walk writes that as its provider has it.
_MOST_WALKS: Final = 4


def lint_messages(messages: Sequence[Any], provider: str = "openai-chat") -> tuple[WireFault, ...]:
    """Find every rule that a transcript breaks, in the order of its messages.

    Args:
        messages: As stored for the provider's next request; SDK objects are fine.
        provider: The format, or an alias of it.

    Raises:
        ConfigurationError: There is no such provider, or it has no conversations.
        ResponseMalformed: A message is no object; names its place.

    >>> call = {"id": "c1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    >>> [fault.rule.value for fault in lint_messages([{"role": "assistant", "tool_calls": [call]}])]
    ['call_without_result']
    """
    walk = _walk(provider, {})
    walk.mend(_read(messages))
    return tuple(sorted(walk.faults, key=lambda fault: fault.message))


def mend_messages(
    messages: Sequence[Any],
    provider: str = "openai-chat",
    known: Mapping[str, ToolResult] | None = None,
) -> list[dict[str, Any]]:
    """Give a copy of a transcript that its provider takes; nothing that was said is lost.

    Mending twice is mending once, and what breaks no rule stays as it is.

    Args:
        messages: As for `lint_messages`; they are not changed.
        provider: As for `lint_messages`.
        known: What became of calls that have no result, by their ids; of others the model is told
            that nobody knows.

    Raises:
        ConfigurationError, ResponseMalformed: As `lint_messages` does.
    """
    mended = _walk(provider, known or {}).mend(_read(messages))
    for _ in range(_MOST_WALKS):
        before, mended = mended, _walk(provider, known or {}).mend(mended)
        if mended == before:
            break
    return mended


def _walk(name: str, known: Mapping[str, ToolResult]) -> Walk:
    provider = provider_named(name)
    return Walk(provider, shape_of(provider), known)


def _read(messages: Sequence[Any]) -> list[Message]:
    read: list[Any] = as_json(list(messages))
    for at, message in enumerate(read):
        if not isinstance(message, dict):
            raise ResponseMalformed(f"messages[{at}]", f"must be an object, not {kind_of(message)}")
    return read
