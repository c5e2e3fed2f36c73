"""Tools that act on one screen, for the tests of chains on real workers."""

from __future__ import annotations

from toolferry import Lane, ToolError, tool


@tool(name="computer.left_click", timeout=5)
async def left_click(coordinate: list[int]) -> str:
    """Click there; nothing is at 0, 0."""
    if coordinate == [0, 0]:
        raise ToolError("no_window", "There is nothing at that place.")
    return "clicked"


@tool(name="computer.type", lane=Lane.PROCESS, timeout=5)
def type_text(text: str) -> str:
    """Type a text."""
    return f"typed {text}"


@tool
async def look_up(word: str) -> str:
    """Look a word up."""
    return word
