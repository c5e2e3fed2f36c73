"""The release after `tools_first`: one tool takes other arguments, one is gone."""

from __future__ import annotations

from toolferry import NO_RETRY, ToolContext, tool


@tool(retry=NO_RETRY)
async def convert(amount: int, currency: str, ctx: ToolContext) -> list[object]:
    """Convert an amount of a currency."""
    return ["second", amount, currency, ctx.attempt]
