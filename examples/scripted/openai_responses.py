"""A server of the Responses API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.scripted import openai_responses_rules as rules
from examples.scripted.refusal import Refused, need_sendable
from examples.scripted.speaking import all_back, call_id, halves, sse
from examples.scripted.turns import ScriptedTurn


class OpenAIResponsesSpeaker:
    """The Responses API; the model's message is its list of items."""

    path = "/responses"

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse what breaks a rule, and thoughts that are missing or changed."""
        need_sendable(request)
        rules.check(request)
        thoughts = [item for items in sent for item in items if item["type"] == "reasoning"]
        back = [_thought(item) for item in request["input"] if item.get("type") == "reasoning"]
        all_back([_thought(one) for one in thoughts], back, "A reasoning item was changed.")

    def said(self, turn: ScriptedTurn, number: int) -> list[dict[str, Any]]:
        """Give the items of a turn: thoughts, words, calls."""
        items: list[dict[str, Any]] = [
            {
                "type": "reasoning",
                "id": f"rs_{number}",
                "summary": [],
                "encrypted_content": f"gAAAA{number}",
            }
        ]
        if turn.text:
            part = {"type": "output_text", "text": turn.text, "annotations": [], "logprobs": []}
            items.append(
                {
                    "type": "message",
                    "id": f"msg_{number}",
                    "role": "assistant",
                    "status": "completed",
                    "content": [part],
                }
            )
        items += [
            {
                "type": "function_call",
                "id": f"fc_{number}_{at}",
                "call_id": call_id(call, number, at, "call_"),
                "name": call.name,
                "arguments": json.dumps(call.arguments, ensure_ascii=False),
                "status": "completed",
            }
            for at, call in enumerate(turn.calls)
        ]
        return items

    def whole(self, said: Any, number: int) -> dict[str, Any]:
        """Give a response."""
        return {**_head(number), "status": "completed", "output": said}

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Tell by the field `stream`."""
        return bool(request.get("stream"))

    def chunks(self, said: Any, number: int) -> Iterator[str]:
        """Give the events of a response, one item after the other."""
        head = {**_head(number), "status": "in_progress", "output": []}
        events: list[dict[str, Any]] = [{"type": "response.created", "response": head}]
        for at, item in enumerate(said):
            events += _item_events(at, item)
        done = {"type": "response.completed", "response": self.whole(said, number)}
        for order, event in enumerate([*events, done]):
            yield sse({**event, "sequence_number": order}, event["type"])

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give an error as the API words it."""
        error = {"message": refused.message, "type": "invalid_request_error"}
        return {"error": {**error, "param": refused.param or None, "code": None}}


def _item_events(at: int, item: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    kind, where = item["type"], {"output_index": at, "item_id": item["id"]}
    begun = dict(item)
    if kind == "message":
        begun["content"] = []
    if kind == "function_call":
        begun["arguments"] = ""
    yield {"type": "response.output_item.added", "output_index": at, "item": begun}
    if kind == "function_call":
        for piece in halves(item["arguments"]):
            yield {"type": "response.function_call_arguments.delta", **where, "delta": piece}
        whole = {"arguments": item["arguments"], "name": item["name"]}
        yield {"type": "response.function_call_arguments.done", **where, **whole}
    yield {"type": "response.output_item.done", "output_index": at, "item": item}


def _thought(item: Mapping[str, Any]) -> tuple[Any, Any]:
    return item.get("id"), item.get("encrypted_content")


def _head(number: int) -> dict[str, Any]:
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1_790_000_000,
        "model": "scripted",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
