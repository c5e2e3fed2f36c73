"""The tools of the benchmarks: the same work in both lanes."""

from __future__ import annotations

from toolferry import tool


@tool
async def echo_async(number: int) -> int:
    """Give the number back, on the event loop."""
    return number


@tool
def echo_process(number: int) -> int:
    """Give the number back, in a child process."""
    return number
