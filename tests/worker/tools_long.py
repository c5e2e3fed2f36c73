"""Tools that take long, and keep where they are."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from toolferry import MAX_CHECKPOINT_BYTES, RetryCall, RetryPolicy, ToolContext, tool

#: Short, so that tests need not wait.
FAST = RetryPolicy(max_attempts=3, base=0.02, cap=0.02)


@tool(retry=FAST)
def resume(ctx: ToolContext) -> Any:
    """Keep two pages, then go on with the last one."""
    return _resumed(ctx)


@tool(retry=FAST)
async def resume_loop(ctx: ToolContext) -> Any:
    """Do the same on the event loop."""
    return _resumed(ctx)


@tool(retry=FAST)
async def resume_thread(ctx: ToolContext) -> Any:
    """Do the same from a thread."""
    return await asyncio.to_thread(_resumed, ctx)


@tool(retry=RetryPolicy(max_attempts=1))
async def keep_too_much(ctx: ToolContext) -> None:
    """Keep more than fits."""
    ctx.checkpoint("x" * MAX_CHECKPOINT_BYTES)


@tool(timeout=60, retry=FAST)
async def keep_and_hold(folder: str, ctx: ToolContext) -> Any:
    """Keep something, say in a folder that it runs, and wait there until it is let go."""
    if ctx.restored is not None:
        return ctx.restored
    ctx.checkpoint({"attempt": ctx.attempt})
    _arrive(folder, ctx)
    while not _let_go(folder):  # noqa: ASYNC110 -- another process does it
        await asyncio.sleep(0.02)
    return "let go"


@tool(timeout=60, retry=FAST)
def keep_and_hold_process(folder: str, ctx: ToolContext) -> Any:
    """Do the same in a process."""
    if ctx.restored is not None:
        return ctx.restored
    ctx.checkpoint({"attempt": ctx.attempt})
    _arrive(folder, ctx)
    while not _let_go(folder):
        time.sleep(0.02)
    return "let go"


def _arrive(folder: str, ctx: ToolContext) -> None:
    Path(folder, f"{ctx.call_id}.{ctx.attempt}").touch()


def _let_go(folder: str) -> bool:
    return Path(folder, "go").exists()


def _resumed(ctx: ToolContext) -> Any:
    if ctx.attempt == 1:
        ctx.checkpoint({"page": 1})
        ctx.checkpoint({"page": 2})
        raise RetryCall(after=0.02)
    return ctx.restored
