"""A server of Cohere's Chat API, version 2."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.scripted import cohere_rules as rules
from examples.scripted.refusal import Refused, need_sendable
from examples.scripted.speaking import all_back, call_id, halves, sse
from examples.scripted.turns import ScriptedTurn


class CohereSpeaker:
    """Chat, with a model that tells its plan."""

    path = "/v2/chat"

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse what breaks a rule, and a message with calls that was changed."""
        need_sendable(request)
        rules.check(request)
        back = [one for one in request["messages"] if one["role"] == "assistant"]
        with_calls = [one for one in sent if one.get("tool_calls")]
        all_back(with_calls, back, "The assistant message was changed on its way back.")

    def said(self, turn: ScriptedTurn, number: int) -> dict[str, Any]:
        """Give the message of a turn; words beside calls are the plan."""
        if not turn.calls:
            return {"role": "assistant", "content": [{"type": "text", "text": turn.text}]}
        calls = [
            {
                "id": call_id(call, number, at, f"{call.name}_"),
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(call.arguments, ensure_ascii=False),
                },
            }
            for at, call in enumerate(turn.calls)
        ]
        plan = turn.text or turn.thoughts
        return {"role": "assistant", "tool_plan": plan, "tool_calls": calls}

    def whole(self, said: Any, number: int) -> dict[str, Any]:
        """Give a response."""
        return {"id": f"chat-{number}", "finish_reason": _finish(said), "message": said}

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Tell by the field `stream`."""
        return bool(request.get("stream"))

    def chunks(self, said: Any, number: int) -> Iterator[str]:
        """Give events: the start, then the plan, words and arguments in pieces, then the end."""
        yield _event("message-start", {"role": "assistant"}, id=f"chat-{number}")
        for piece in halves(said.get("tool_plan", "")):
            yield _event("tool-plan-delta", {"tool_plan": piece})
        for at, call in enumerate(said.get("tool_calls", ())):
            yield from _call_events(at, call)
        for at, block in enumerate(said.get("content", ())):
            yield _event("content-start", {"content": {**block, "text": ""}}, index=at)
            for piece in halves(block["text"]):
                yield _event("content-delta", {"content": {"text": piece}}, index=at)
            yield sse({"type": "content-end", "index": at}, "content-end")
        end = {"type": "message-end", "delta": {"finish_reason": _finish(said)}}
        yield sse(end, "message-end")

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give an error as the API words it."""
        return {"id": "refused", "message": refused.message}


def _call_events(at: int, call: Mapping[str, Any]) -> Iterator[str]:
    function = call["function"]
    begun = {**call, "function": {**function, "arguments": ""}}
    yield _event("tool-call-start", {"tool_calls": begun}, index=at)
    for piece in halves(function["arguments"]):
        more = {"tool_calls": {"function": {"arguments": piece}}}
        yield _event("tool-call-delta", more, index=at)
    yield sse({"type": "tool-call-end", "index": at}, "tool-call-end")


def _event(kind: str, message: Mapping[str, Any], **others: Any) -> str:
    return sse({"type": kind, **others, "delta": {"message": message}}, kind)


def _finish(said: Mapping[str, Any]) -> str:
    return "TOOL_CALL" if said.get("tool_calls") else "COMPLETE"
