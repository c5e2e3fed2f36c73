"""What many tests of this room need: a context for handlers, and tools in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolferry import Context, Tool, ToolContext


def context_for_handlers(
    provided: Mapping[type[Any], Any] | None = None, **identity: Any
) -> ToolContext:
    """Give the context of a first attempt."""
    return ToolContext(
        identity=Context(**identity),
        turn_id="t1",
        call_id="c1",
        call_key="t1:0",
        attempt=1,
        deadline=1_000.0,
        idempotency_key="t1:0",
        provided=provided or {},
    )


def echo(**arguments: Any) -> dict[str, Any]:
    """Give the arguments back."""
    return arguments


def made(
    schema: dict[str, Any] | None = None, handler: Callable[..., Any] = echo, **fields: Any
) -> Tool:
    """Make a tool with an explicit schema."""
    parameters = {"type": "object", "properties": {}} if schema is None else schema
    return Tool(**{"name": "sample", "parameters": parameters, "handler": handler, **fields})
