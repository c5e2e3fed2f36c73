"""A server of Bedrock Converse."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.scripted import bedrock_rules as rules
from examples.scripted.event_stream import frame
from examples.scripted.refusal import Refused, need_sendable
from examples.scripted.speaking import all_back, call_id, halves
from examples.scripted.turns import ScriptedTurn


class BedrockSpeaker:
    """Converse, with a model that thinks."""

    path = ("/converse", "/converse-stream")

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse what breaks a rule, and thoughts that are missing or changed."""
        need_sendable(request)
        rules.check(request)
        back = [_thoughts(one) for one in request["messages"] if one["role"] == "assistant"]
        all_back([_thoughts(one) for one in sent], back, "A reasoningContent block was changed.")

    def said(self, turn: ScriptedTurn, number: int) -> dict[str, Any]:
        """Give the message of a turn."""
        thought = {"text": turn.thoughts, "signature": f"signed-{number}"}
        content: list[dict[str, Any]] = [{"reasoningContent": {"reasoningText": thought}}]
        if turn.text:
            content.append({"text": turn.text})
        for at, call in enumerate(turn.calls):
            use = {"toolUseId": call_id(call, number, at, "tooluse_"), "name": call.name}
            content.append({"toolUse": {**use, "input": dict(call.arguments)}})
        return {"role": "assistant", "content": content}

    def whole(self, said: Any, number: int) -> dict[str, Any]:
        """Give a response."""
        return {
            "output": {"message": said},
            "stopReason": _stop(said),
            "usage": {"inputTokens": 7, "outputTokens": 7, "totalTokens": 14},
            "metrics": {"latencyMs": 7},
        }

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Tell by the path."""
        return path.endswith("-stream")

    def chunks(self, said: Any, number: int) -> Iterator[bytes]:
        """Give events: the start, then blocks in pieces, then the end."""
        yield frame("messageStart", {"role": "assistant"})
        for at, block in enumerate(said["content"]):
            if "toolUse" in block:
                named = {key: value for key, value in block["toolUse"].items() if key != "input"}
                begun = {"contentBlockIndex": at, "start": {"toolUse": named}}
                yield frame("contentBlockStart", begun)
            for delta in _deltas(block):
                yield frame("contentBlockDelta", {"contentBlockIndex": at, "delta": delta})
            yield frame("contentBlockStop", {"contentBlockIndex": at})
        yield frame("messageStop", {"stopReason": _stop(said)})

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give an error as the API words it."""
        return {"message": refused.message, "__type": "ValidationException"}


def _deltas(block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if "toolUse" in block:
        for piece in halves(json.dumps(block["toolUse"]["input"], ensure_ascii=False)):
            yield {"toolUse": {"input": piece}}
    elif "reasoningContent" in block:
        thought = block["reasoningContent"]["reasoningText"]
        for piece in halves(thought["text"]):
            yield {"reasoningContent": {"text": piece}}
        yield {"reasoningContent": {"signature": thought["signature"]}}
    else:
        for piece in halves(block["text"]):
            yield {"text": piece}


def _stop(said: Mapping[str, Any]) -> str:
    return "tool_use" if any("toolUse" in block for block in said["content"]) else "end_turn"


def _thoughts(message: Mapping[str, Any]) -> list[Any]:
    return [block for block in message["content"] if "reasoningContent" in block]
