"""A server of the Messages API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.scripted import anthropic_rules as rules
from examples.scripted.refusal import Refused, need_sendable
from examples.scripted.speaking import all_back, call_id, halves, sse
from examples.scripted.turns import ScriptedTurn


class AnthropicSpeaker:
    """The Messages API, with a model that thinks."""

    path = "/messages"

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse what breaks a rule, and thoughts that are missing or changed."""
        need_sendable(request)
        rules.check(request)
        back = [_thoughts(one) for one in request["messages"] if one["role"] == "assistant"]
        all_back(
            [_thoughts(one) for one in sent],
            back,
            "`thinking` blocks in the latest assistant message cannot be modified.",
        )

    def said(self, turn: ScriptedTurn, number: int) -> dict[str, Any]:
        """Give the assistant message of a turn."""
        blocks: list[dict[str, Any]] = [
            {"type": "thinking", "thinking": turn.thoughts, "signature": f"c2lnbmVk{number}"}
        ]
        if turn.text:
            blocks.append({"type": "text", "text": turn.text})
        blocks += [
            {
                "type": "tool_use",
                "id": call_id(call, number, at, "toolu_"),
                "name": call.name,
                "input": dict(call.arguments),
            }
            for at, call in enumerate(turn.calls)
        ]
        return {"role": "assistant", "content": blocks}

    def whole(self, said: Any, number: int) -> dict[str, Any]:
        """Give a message."""
        return {**_head(number), **said, "stop_reason": _stop(said)}

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Tell by the field `stream`."""
        return bool(request.get("stream"))

    def chunks(self, said: Any, number: int) -> Iterator[str]:
        """Give the events of a message, block by block."""
        begun = {**_head(number), "role": "assistant", "content": [], "stop_reason": None}
        yield _event("message_start", message=begun)
        for at, block in enumerate(said["content"]):
            yield from _block_events(at, block)
        delta = {"stop_reason": _stop(said), "stop_sequence": None}
        yield _event("message_delta", delta=delta, usage={"output_tokens": 7})
        yield _event("message_stop")

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give an error as the API words it."""
        error = {"type": "invalid_request_error", "message": refused.message}
        return {"type": "error", "error": error}


def _block_events(at: int, block: Mapping[str, Any]) -> Iterator[str]:
    kind = block["type"]
    if kind == "text":
        empty, deltas = {**block, "text": ""}, _deltas("text", block["text"])
    elif kind == "thinking":
        empty = {**block, "thinking": "", "signature": ""}
        signature = {"type": "signature_delta", "signature": block["signature"]}
        deltas = [*_deltas("thinking", block["thinking"]), signature]
    else:
        empty = {**block, "input": {}}
        pieces = halves(json.dumps(block["input"]))
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    yield _event("content_block_start", index=at, content_block=empty)
    for delta in deltas:
        yield _event("content_block_delta", index=at, delta=delta)
    yield _event("content_block_stop", index=at)


def _deltas(kind: str, text: str) -> list[dict[str, Any]]:
    return [{"type": f"{kind}_delta", kind: piece} for piece in halves(text)]


def _event(kind: str, **data: Any) -> str:
    return sse({"type": kind, **data}, kind)


def _thoughts(message: Mapping[str, Any]) -> list[Any]:
    content = message["content"]
    blocks = content if isinstance(content, list) else []
    return [dict(block) for block in blocks if block["type"] == "thinking"]


def _head(number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "model": "scripted",
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 7},
    }


def _stop(said: Mapping[str, Any]) -> str:
    kinds = {block["type"] for block in said["content"]}
    return "tool_use" if "tool_use" in kinds else "end_turn"
