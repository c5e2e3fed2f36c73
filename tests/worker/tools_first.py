"""A release of some tools; `tools_second` is the next one."""

from __future__ import annotations

from toolferry import NO_RETRY, ToolContext, tool


@tool(retry=NO_RETRY)
async def convert(amount: int, ctx: ToolContext) -> list[object]:
    """Convert an amount."""
    return ["first", amount, ctx.attempt]


@tool(retry=NO_RETRY)
async def dropped(ctx: ToolContext) -> list[object]:
    """Belong to this release only."""
    return ["first", ctx.attempt]
