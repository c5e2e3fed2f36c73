"""Tools that keep a journal of their own: when each attempt began and when it ended.

The journal is a file to which every process appends whole lines, so that the order of its lines is
an order in which things happened; nothing of Toolferry writes to it.
"""

from __future__ import annotations

import asyncio
import os
import time

from toolferry import EffectClass, ToolContext, tool

#: The variable that names the journal.
JOURNAL = "ORDER_JOURNAL"
#: Seconds that each handler takes: long enough for a conflicting one to be caught overlapping.
WORK = 0.002


def note(what: str, ctx: ToolContext, tool_name: str, cell: int) -> None:
    """Append one line."""
    line = f"{what} {ctx.turn_id} {ctx.call_key} {ctx.attempt} {tool_name} {cell}\n"
    handle = os.open(os.environ[JOURNAL], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, line.encode())
    os.close(handle)


@tool(resource="cell:{cell}", effect=EffectClass.WRITE, idempotent=True)
async def write_cell(ctx: ToolContext, cell: int) -> None:
    """Write a cell, on the event loop."""
    note("begin", ctx, "write", cell)
    await asyncio.sleep(WORK)
    note("end", ctx, "write", cell)


@tool(resource="cell:{cell}", effect=EffectClass.WRITE, idempotent=True)
def write_cell_slowly(ctx: ToolContext, cell: int) -> None:
    """Write a cell, in a child process."""
    note("begin", ctx, "write", cell)
    time.sleep(WORK)
    note("end", ctx, "write", cell)


@tool(resource="cell:{cell}")
async def read_cell(ctx: ToolContext, cell: int) -> None:
    """Read a cell."""
    note("begin", ctx, "read", cell)
    await asyncio.sleep(WORK)
    note("end", ctx, "read", cell)


@tool(exclusive=True)
async def reset_board(ctx: ToolContext) -> None:
    """Run alone in its turn."""
    note("begin", ctx, "reset", -1)
    await asyncio.sleep(WORK)
    note("end", ctx, "reset", -1)


@tool
async def look_around(ctx: ToolContext) -> None:
    """Touch nothing that anybody else touches."""
    note("begin", ctx, "look", -1)
    await asyncio.sleep(WORK)
    note("end", ctx, "look", -1)
