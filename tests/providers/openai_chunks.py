"""Chunks of streamed chat completions."""

from __future__ import annotations

from typing import Any


def a_piece(name: str | None = None, arguments: object = None, **fields: object) -> dict[str, Any]:
    """A piece of a call; what is None is left out."""
    inner = {"name": name, "arguments": arguments}
    said = {key: value for key, value in inner.items() if value is not None}
    return {"function": said, **fields}


def a_chunk(finish_reason: str | None = None, **delta: object) -> dict[str, Any]:
    """A chunk whose only choice has this delta."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason, "logprobs": None}
    return {
        "id": "r1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }
