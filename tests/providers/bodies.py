"""Bodies of responses in each format, with whatever is wrong with their calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: What a format is given: the words, the calls, whether it ran into its limit, its number.
Body = Callable[[str, "Sequence[Wanted]", bool, int], dict[str, Any]]


@dataclass(frozen=True)
class Wanted:
    """A call as a careless model makes it."""

    #: As received; left out when None.
    call_id: str | None
    name: str
    #: An object, or a text where the format has one: sometimes of no object at all.
    arguments: Any

    @property
    def text(self) -> str:
        """The arguments as text."""
        given = self.arguments
        return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)

    def under(self, key: str) -> dict[str, Any]:
        """The id, under a key, if there is one."""
        return {} if self.call_id is None else {key: self.call_id}


def chat(text: str, calls: Sequence[Wanted], is_cut: bool, number: int) -> dict[str, Any]:  # noqa: FBT001 -- one of a row of values
    """Write a completion."""
    items = [
        {
            **one.under("id"),
            "type": "function",
            "function": {"name": one.name, "arguments": one.text},
        }
        for one in calls
    ]
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    message |= {"reasoning_content": "Hm.", **({"tool_calls": items} if items else {})}
    finish = "length" if is_cut else "tool_calls" if items else "stop"
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"id": f"chatcmpl-{number}", "object": "chat.completion", "choices": [choice]}


def responses(text: str, calls: Sequence[Wanted], is_cut: bool, number: int) -> dict[str, Any]:  # noqa: FBT001 -- as above
    """Write a response of items."""
    thought = {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "x"}
    part = {"type": "output_text", "text": text, "annotations": []}
    said = {
        "type": "message",
        "id": f"msg_{number}",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    items = [
        {
            "type": "function_call",
            "id": f"fc_{number}_{at}",
            **one.under("call_id"),
            "name": one.name,
            "arguments": one.text,
            "status": "completed",
        }
        for at, one in enumerate(calls)
    ]
    body: dict[str, Any] = {"id": f"resp_{number}", "object": "response", "status": "completed"}
    if is_cut:
        body |= {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return {**body, "output": [thought, *([said] if text else []), *items]}


def anthropic(text: str, calls: Sequence[Wanted], is_cut: bool, number: int) -> dict[str, Any]:  # noqa: FBT001 -- as above
    """Write a message."""
    content: list[Mapping[str, Any]] = [
        {"type": "thinking", "thinking": "Hm.", "signature": f"s{number}"}
    ]
    content += [{"type": "text", "text": text}] if text else []
    content += [
        {"type": "tool_use", **one.under("id"), "name": one.name, "input": one.arguments}
        for one in calls
    ]
    stop = "max_tokens" if is_cut else "tool_use" if calls else "end_turn"
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant"}
    return {**head, "content": content, "stop_reason": stop}


def gemini(text: str, calls: Sequence[Wanted], is_cut: bool, number: int) -> dict[str, Any]:  # noqa: FBT001 -- as above
    """Write a response of candidates."""
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    parts += [
        {"functionCall": {**one.under("id"), "name": one.name, "args": one.arguments}}
        for one in calls
    ]
    if calls:
        parts[-len(calls)]["thoughtSignature"] = "c2lnbmVk"
    finish = "MAX_TOKENS" if is_cut else "STOP"
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish}
    return {"candidates": [candidate], "responseId": f"response-{number}"}


def bedrock(text: str, calls: Sequence[Wanted], is_cut: bool, number: int) -> dict[str, Any]:  # noqa: FBT001 -- as above
    """Write a response of Converse."""
    thought = {"reasoningText": {"text": "Hm.", "signature": f"s{number}"}}
    content: list[dict[str, Any]] = [{"reasoningContent": thought}]
    content += [{"text": text}] if text else []
    content += [
        {"toolUse": {**one.under("toolUseId"), "name": one.name, "input": one.arguments}}
        for one in calls
    ]
    stop = "max_tokens" if is_cut else "tool_use" if calls else "end_turn"
    message = {"role": "assistant", "content": content}
    return {"output": {"message": message}, "stopReason": stop}


def cohere(text: str, calls: Sequence[Wanted], is_cut: bool, number: int) -> dict[str, Any]:  # noqa: FBT001 -- as above
    """Write a response of Cohere."""
    items = [
        {
            **one.under("id"),
            "type": "function",
            "function": {"name": one.name, "arguments": one.text},
        }
        for one in calls
    ]
    message: dict[str, Any] = {"role": "assistant", "tool_plan": "Hm."}
    message |= {"tool_calls": items} if items else {}
    message |= {"content": [{"type": "text", "text": text}]} if text else {}
    finish = "MAX_TOKENS" if is_cut else "TOOL_CALL" if items else "COMPLETE"
    return {"id": f"chat-{number}", "finish_reason": finish, "message": message}
