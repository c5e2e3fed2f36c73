"""The assistant message of Chat Completions: what it says, what it asks for, how it goes back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.dialect import Dialect
from toolferry_dispatcher.providers.json_data import fold, kind_of, sendable
from toolferry_dispatcher.providers.openai_body import Answer

#: What SDKs add to a message that they parse; it was not received and is not taken back.
_ADDED: Final = frozenset({"parsed"})


def items_of(answer: Answer) -> list[Any]:
    """Give the calls of a message as received.

    Raises:
        ResponseMalformed: They stand in no array, or in the form of old.
    """
    items = answer.message.get("tool_calls")
    if items is None:
        return _no_items(answer)
    if not isinstance(items, list):
        reason = f"must be an array or null, not {kind_of(items)}"
        raise ResponseMalformed(answer.field("tool_calls"), reason)
    return items or _no_items(answer)


def _no_items(answer: Answer) -> list[Any]:
    """Give no calls, unless there is one in the form that came before `tool_calls`."""
    old = answer.message.get("function_call")
    if isinstance(old, Mapping) and old.get("name"):
        raise ResponseMalformed(
            answer.field("function_call"),
            "is the form of old that cannot be answered by id: send `tools`, not `functions`",
        )
    return []


def seed_of(answer: Answer) -> str:
    """Give what tells this response from others."""
    return answer.response_id or json.dumps(answer.message, sort_keys=True)


def text_of(answer: Answer) -> str:
    """Give what the model said: its content, else its refusal, else the words of its audio."""
    content = _content_of(answer)
    if content.strip():
        return fold(content)
    audio = answer.message.get("audio")
    transcript = audio.get("transcript") if isinstance(audio, Mapping) else None
    said = (refusal_of(answer), transcript)
    return fold(next((text for text in said if isinstance(text, str) and text.strip()), ""))


def refusal_of(answer: Answer) -> str:
    """Give the words with which the model declined; empty when it did not, or said more."""
    refusal, content = answer.message.get("refusal"), answer.message.get("content")
    if isinstance(refusal, str) and refusal.strip():
        return "" if _content_of(answer).strip() else refusal
    if not isinstance(content, list):
        return ""
    kinds = [part.get("type") for part in content if isinstance(part, Mapping)]
    return _content_of(answer) if kinds and all(kind == "refusal" for kind in kinds) else ""


def _content_of(answer: Answer) -> str:
    content = answer.message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        reason = f"must be a string, an array of parts or null, not {kind_of(content)}"
        raise ResponseMalformed(answer.field("content"), reason)
    return "".join(_words_of(part) for part in content)


def _words_of(part: object) -> str:
    """Give the words of one part; thoughts, images and the like have none to show."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    # Compared, not looked up: a type may be anything.
    kind = next((kind for kind in ("text", "refusal") if part.get("type") == kind), "")
    words = part.get(kind)
    return words if isinstance(words, str) else ""


def echo_of(answer: Answer, calls: Sequence[Mapping[str, Any]], dialect: Dialect) -> dict[str, Any]:
    """Give the message for the next request: as received, but for what would be refused there."""
    received = answer.message
    put_right = {"tool_calls", "audio", "function_call", *_ADDED, *dialect.refused}
    echo = {key: value for key, value in received.items() if key not in put_right}
    echo["role"] = "assistant"
    if calls:
        echo["tool_calls"] = list(calls)
    if echo.get("content") is None and not (calls and dialect.null_content):
        echo["content"] = ""
    audio = received.get("audio")
    if isinstance(audio, Mapping) and audio.get("id"):
        echo["audio"] = {"id": audio["id"]}
    return sendable(echo)
