"""A server of Bedrock Converse; whole responses only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.scripted import bedrock_rules as rules
from examples.scripted.refusal import Refused, need_sendable
from examples.scripted.speaking import all_back, call_id
from examples.scripted.turns import ScriptedTurn


class BedrockSpeaker:
    """Converse, with a model that thinks."""

    path = "/converse"

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
        has_calls = any("toolUse" in block for block in said["content"])
        return {
            "output": {"message": said},
            "stopReason": "tool_use" if has_calls else "end_turn",
            "usage": {"inputTokens": 7, "outputTokens": 7, "totalTokens": 14},
            "metrics": {"latencyMs": 7},
        }

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Never: its streams are not of text."""
        return False

    def chunks(self, said: Any, number: int) -> Iterator[str]:
        """Give nothing."""
        yield from ()

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give an error as the API words it."""
        return {"message": refused.message, "__type": "ValidationException"}


def _thoughts(message: Mapping[str, Any]) -> list[Any]:
    return [block for block in message["content"] if "reasoningContent" in block]
