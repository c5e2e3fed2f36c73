"""Calls that take long and must not run twice, and a short one beside them.

The journal is a file to which every attempt appends whole lines; nothing of Toolferry writes to it.
"""

from __future__ import annotations

import asyncio
import os
import time

from toolferry import EffectClass, ToolContext, tool

#: The variable that names the journal.
JOURNAL = "LONG_CALL_JOURNAL"
#: Seconds between two reports of a long call.
STEP = 0.5
#: Seconds after which the conversation goes on without a long call.
ANSWER_WITHIN = 1.0


def note(what: str, ctx: ToolContext) -> None:
    """Append one line."""
    handle = os.open(os.environ[JOURNAL], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, f"{what} {ctx.call_key} {ctx.attempt}\n".encode())
    os.close(handle)


@tool(effect=EffectClass.WRITE, timeout=600, deadline=900, answer_within=ANSWER_WITHIN)
async def export_on_loop(seconds: float, ctx: ToolContext) -> str:
    """Export everything, on the event loop."""
    note("begin", ctx)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        _report(1 - left / seconds, ctx)
        await asyncio.sleep(min(STEP, left))
    note("end", ctx)
    return "exported"


@tool(effect=EffectClass.WRITE, timeout=600, deadline=900, answer_within=ANSWER_WITHIN)
def export_in_process(seconds: float, ctx: ToolContext) -> str:
    """Export everything, in a child process."""
    note("begin", ctx)
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        _report(1 - left / seconds, ctx)
        time.sleep(min(STEP, left))
    note("end", ctx)
    return "exported"


@tool
async def look_up(city: str) -> str:
    """Tell the weather of a city."""
    return f"{city}: rain"


def _report(done: float, ctx: ToolContext) -> None:
    ctx.progress(done)
    ctx.checkpoint({"done": done})
