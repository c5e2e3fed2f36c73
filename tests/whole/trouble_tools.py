"""Tools that write into a journal when they begin, for tests in which servers die."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

from toolferry import EffectClass, ToolContext, tool

#: Where the journal is, told to the workers.
JOURNAL = "TROUBLE_JOURNAL"


@tool(timeout=60)
async def look(ctx: ToolContext, seconds: float = 0.0) -> int:
    """Look at something, which changes nothing."""
    begin(ctx)
    await asyncio.sleep(seconds)
    return ctx.attempt


@tool(timeout=60)
def look_hard(ctx: ToolContext, seconds: float = 0.0) -> int:
    """Look at something from a process."""
    begin(ctx)
    # The call runs through kills and outages of a given length; a journal tells its beginning.
    time.sleep(seconds)
    return ctx.attempt


@tool(timeout=5)
async def glance(ctx: ToolContext, seconds: float = 0.0) -> int:
    """Look at something within five seconds."""
    begin(ctx)
    await asyncio.sleep(seconds)
    return ctx.attempt


@tool(timeout=60, effect=EffectClass.WRITE)
async def pay(ctx: ToolContext, seconds: float = 0.0) -> int:
    """Do what must not be done twice."""
    begin(ctx)
    await asyncio.sleep(seconds)
    return ctx.attempt


@tool(timeout=60, effect=EffectClass.WRITE)
def pay_hard(ctx: ToolContext, seconds: float = 0.0) -> int:
    """Do what must not be done twice, in a process."""
    begin(ctx)
    # The call runs through kills and outages of a given length; a journal tells its beginning.
    time.sleep(seconds)
    return ctx.attempt


@tool(timeout=60)
async def tell_much(ctx: ToolContext, kilobytes: int) -> str:
    """Give a long answer."""
    begin(ctx)
    return "x" * (kilobytes * 1024)


def begin(ctx: ToolContext) -> None:
    """Write down that a call begins."""
    line = f"{ctx.call_id} {ctx.attempt}\n".encode()
    journal = os.open(os.environ[JOURNAL], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(journal, line)
    os.close(journal)


def begun(journal: Path) -> list[str]:
    """Read what has begun: a call's id and the number of its attempt."""
    return journal.read_text(encoding="utf-8").splitlines() if journal.exists() else []
