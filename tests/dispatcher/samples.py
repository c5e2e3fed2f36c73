"""Tools and responses for the tests of the dispatcher."""

from __future__ import annotations

import json
from typing import Any

from toolferry import EffectClass, Registry, tool


@tool
async def look_up(city: str, days: int = 1) -> str:
    """Tell the weather of a city."""
    return f"{city}: {days}"


@tool(permissions={"orders:write"})
async def cancel_order(order_id: int) -> None:
    """Cancel an order."""


@tool(resource="file:{path}", effect=EffectClass.WRITE)
async def write_file(path: str) -> None:
    """Write a file."""


def make_registry() -> Registry:
    """Give a registry with all tools of this file."""
    registry = Registry()
    for one in (look_up, cancel_order, write_file):
        registry.register(one)
    return registry


def response(*calls: tuple[str, Any], finish: str = "tool_calls", **message: Any) -> dict[str, Any]:
    """Write a Chat Completions response; arguments that are no text are made JSON."""
    items = [
        {
            "id": f"call_{position}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
            },
        }
        for position, (name, arguments) in enumerate(calls)
    ]
    said = {"role": "assistant", "content": None, "tool_calls": items, **message}
    choice = {"index": 0, "finish_reason": finish, "message": said}
    return {"id": "chatcmpl-1", "object": "chat.completion", "model": "m", "choices": [choice]}
