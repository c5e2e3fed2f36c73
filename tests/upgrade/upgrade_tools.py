"""Tools that both releases have, as a module that workers of either load."""

from __future__ import annotations

import asyncio

from toolferry import EffectClass, RetryCall, ToolContext, tool


@tool
async def echo(number: int) -> int:
    """Give a number back, after a moment."""
    await asyncio.sleep(0.01)  # a call takes some time, so that workers are stopped while they work
    return number


@tool
def double(number: int) -> int:
    """Double a number."""
    return 2 * number


@tool(effect=EffectClass.WRITE, resource="total", idempotent=True)
async def tally(number: int, ctx: ToolContext) -> int:
    """Note a number; fails at its first attempt."""
    if ctx.attempt == 1 and number % 7 == 0:
        raise RetryCall(after=0.01)
    return number


@tool(max_result_bytes=102)
async def recite(length: int) -> str:
    """Recite."""
    return "x" * length
