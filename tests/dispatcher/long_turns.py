"""Turns with calls that take longer than their model can wait, for the tests of the dispatcher."""

from __future__ import annotations

import json
from typing import Any

from tests.dispatcher.samples import response
from toolferry import Registry, ResultFormat, tool

#: A turn of two calls of a slow tool.
EXPORTS = response(("export", {"part": 1}), ("export", {"part": 2}))


@tool(answer_within=0.05)
async def export(part: int) -> str:
    """Export a part of everything."""
    return f"part {part}"


@tool(answer_within=0.05, result_format=ResultFormat.TEXT)
async def write_book(title: str) -> str:
    """Write a book."""
    return title


@tool
async def look_up(city: str) -> str:
    """Tell the weather of a city."""
    return city


def slow_registry() -> Registry:
    """Give a registry with all tools of this file."""
    return Registry([export, write_book, look_up])


def told(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Read what a model is told of each call: JSON data, or a plain text."""
    return {one["tool_call_id"]: _data(one["content"]) for one in messages if one["role"] == "tool"}


def _data(text: str) -> Any:
    return json.loads(text) if text.startswith("{") else text
