"""Chat Completions responses for the tests of the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def calling(*calls: tuple[str, Mapping[str, Any]], finish_reason: str = "tool_calls") -> Any:
    """Build a response that asks for these calls, named call_1, call_2 and so on."""
    tool_calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for number, (name, arguments) in enumerate(calls, start=1)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": tool_calls}
    return _response(message, finish_reason)


def saying(text: str | None, finish_reason: str = "stop") -> Any:
    """Build a response that asks for nothing."""
    return _response({"role": "assistant", "content": text}, finish_reason)


def written(folder: Path, response: Any) -> str:
    """Write a response to a file and give its name."""
    path = folder / "response.json"
    path.write_text(json.dumps(response), encoding="utf-8")
    return str(path)


def _response(message: Mapping[str, Any], finish_reason: str) -> Any:
    choice = {"index": 0, "message": message, "finish_reason": finish_reason}
    return {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice]}
