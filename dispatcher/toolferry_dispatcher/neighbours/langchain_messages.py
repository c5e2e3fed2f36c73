"""LangChain's messages: the calls that one makes, and the answers to them. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import AIMessage, ToolMessage

from toolferry import ConfigurationError, ToolCall
from toolferry_dispatcher.providers import Media, Told
from toolferry_dispatcher.providers.told import MediaKind, kind_of_media, without_media

#: What a tool message can hold besides text.
_SHOWN: Final = frozenset({MediaKind.IMAGE, MediaKind.FILE})


def last_message(state: Any, key: str) -> AIMessage:
    """Give the model's last message.

    Args:
        state: The state of a graph: a list of messages, or what has one under `key`.
        key: A key, or the name of an attribute.

    Raises:
        ConfigurationError: There is none.
    """
    messages = state if isinstance(state, list) else _under(state, key)
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            return message
    raise ConfigurationError("messages_key", f"the state has no AIMessage under {key!r}")


def calls_of(message: AIMessage) -> list[ToolCall]:
    """Give every call that a message makes, by the names that the model wrote.

    Those whose arguments LangChain could not read come last, with the text that came: they are
    read again, and answered in any case.
    """
    read = [(one["id"], one["name"], one["args"]) for one in message.tool_calls]
    unread: list[tuple[Any, Any, Any]] = [
        (one["id"], one["name"], one["args"]) for one in message.invalid_tool_calls
    ]
    return [ToolCall(call_id or "", name or "", given) for call_id, name, given in read + unread]


def body_of(calls: Sequence[ToolCall]) -> dict[str, Any]:
    """Give calls as a message of Chat Completions, where arguments are text and may be mended."""
    items = [
        {
            "id": call.call_id,
            "type": "function",
            "function": {"name": call.name, "arguments": _text(call.arguments)},
        }
        for call in calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": items}


def _text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def turn_id(message: AIMessage, calls: Sequence[ToolCall], conversation_id: str) -> str | None:
    """Give the name of the turn of a message; None when the message has no id.

    The same for the same calls of the same message of a conversation, in every process. A message
    whose calls a person has changed is another turn.
    """
    if not message.id:
        return None
    told = [[one.call_id, one.name, one.arguments] for one in calls]
    text = json.dumps([conversation_id, message.id, told], sort_keys=True, default=str)
    return f"langgraph-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:40]}"


def answer(call: ToolCall, told: Told) -> ToolMessage:
    """Give the message that answers a call of a message."""
    return ToolMessage(
        content_of(told),
        # As the message has it: LangChain pairs them by it.
        tool_call_id=call.call_id or told.call_id,
        name=call.name,
        status="error" if told.is_error else "success",
    )


def content_of(told: Told) -> Any:
    """Give what a model is told of a call as the content of a message."""
    told = without_media(told, lambda medium: kind_of_media(medium) not in _SHOWN)
    if not told.media:
        return told.text
    return [{"type": "text", "text": told.text}, *map(_medium, told.media)]


def _medium(medium: Media) -> dict[str, Any]:
    block = {
        "type": kind_of_media(medium).value,
        "base64": medium.data,
        "mime_type": medium.media_type,
    }
    return {**block, "filename": medium.name} if medium.name else block


def _under(state: Any, key: str) -> Sequence[Any]:
    found = state.get(key) if isinstance(state, Mapping) else getattr(state, key, None)
    return found if isinstance(found, Sequence) else ()
