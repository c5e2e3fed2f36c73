"""Tools for the tests of the command line."""

from __future__ import annotations

import asyncio
import time

from toolferry import ToolError, tool


@tool
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
async def wait(seconds: float) -> str:
    """Wait without a processor."""
    await asyncio.sleep(seconds)
    return "waited"


@tool
def hold(seconds: float) -> str:
    """Hold a process."""
    time.sleep(seconds)
    return "held"


@tool
async def refuse() -> None:
    """Never work."""
    raise ToolError("closed", "The counter is closed.", retryable=False)
