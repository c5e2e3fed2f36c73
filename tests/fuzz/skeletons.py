"""One good response of each format, into which worse parts are put."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from tests.fuzz.streams import STREAMS

_CALL: Final = {"id": "c1", "type": "function", "function": {"name": "sample", "arguments": "{}"}}

SKELETONS: Final[dict[str, Any]] = {
    "openai-chat": {
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {"role": "assistant", "content": None, "tool_calls": [_CALL]},
            }
        ]
    },
    "openai-responses": {
        "object": "response",
        "status": "completed",
        "output": [
            {"type": "reasoning", "id": "r1", "summary": []},
            {"type": "function_call", "call_id": "c1", "name": "sample", "arguments": "{}"},
        ],
    },
    "anthropic": {
        "type": "message",
        "role": "assistant",
        "stop_reason": "tool_use",
        "content": [
            {"type": "thinking", "thinking": "hm", "signature": "s"},
            {"type": "tool_use", "id": "c1", "name": "sample", "input": {"id": 1}},
        ],
    },
    "gemini": {
        "candidates": [
            {
                "finishReason": "STOP",
                "content": {
                    "role": "model",
                    "parts": [
                        {"functionCall": {"name": "sample", "args": {"id": 1}}},
                        {"functionCall": {"name": "sample", "partialArgs": [{"jsonPath": "$.id"}]}},
                    ],
                },
            }
        ]
    },
    "bedrock-converse": {
        "stopReason": "tool_use",
        "output": {
            "message": {
                "role": "assistant",
                "content": [{"toolUse": {"toolUseId": "c1", "name": "sample", "input": {}}}],
            }
        },
    },
    "cohere-v2": {
        "finish_reason": "TOOL_CALL",
        "message": {"role": "assistant", "tool_plan": "hm", "tool_calls": [_CALL]},
    },
    "plain": [{"call_id": "c1", "name": "sample", "arguments": {"id": 1}}],
    **STREAMS,
}


def places(data: Any) -> Iterator[tuple[str | int, ...]]:
    """Give the path of everything in a response."""
    yield ()
    inside = (
        data if isinstance(data, dict) else dict(enumerate(data if isinstance(data, list) else ()))
    )
    for key, value in inside.items():
        yield from ((key, *path) for path in places(value))


def with_part(data: Any, path: tuple[str | int, ...], part: Any) -> Any:
    """Give a copy of a response with another part in one place."""
    if not path:
        return part
    copy = json.loads(json.dumps(data))
    *way, last = path
    inner = copy
    for step in way:
        inner = inner[step]
    inner[last] = part
    return copy
