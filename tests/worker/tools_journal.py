"""A tool that writes down each of its runs, where nobody but the handler writes."""

from __future__ import annotations

from pathlib import Path

from toolferry import EffectClass, ToolContext, tool


@tool(timeout=10, effect=EffectClass.WRITE)
async def write_journal(folder: str, ctx: ToolContext) -> str:
    """Write a line, which must not happen twice."""
    with Path(folder, "journal").open("a", encoding="utf-8") as journal:  # noqa: ASYNC230 -- a line
        journal.write(f"{ctx.call_id}\n")
    return "written"
