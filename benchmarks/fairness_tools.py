"""The tools of the fairness benchmark."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Final

from toolferry import Concurrency, Rate, ToolContext, tool

#: The variable that names the journal.
JOURNAL: Final = "FAIRNESS_JOURNAL"
#: Seconds that a call of the crowd takes.
TAKES: Final = 0.01
#: What each tenant may have at once, and start in a stretch of time, at the desk.
AT_ONCE: Final = 5
RATE: Final = Rate(120, 0.5, "desk:{context.tenant}")


@tool(deadline=3600)
async def stand_in_line(number: int) -> int:
    """Take a slot for a moment."""
    await asyncio.sleep(TAKES)
    return number


@tool(
    deadline=3600,
    concurrency=Concurrency(AT_ONCE, "desk:{context.tenant}"),
    rate=RATE,
)
async def visit_desk(number: int, ctx: ToolContext) -> int:
    """Be at the tenant's desk for a moment, and write down from when to when."""
    began = time.monotonic_ns()
    await asyncio.sleep(TAKES / 2)
    _write(f"{ctx.identity.tenant} {began} {time.monotonic_ns()}\n")
    return number


@tool(cost=1)
async def spend(number: int) -> int:
    """Be charged."""
    return number


def _write(line: str) -> None:
    # One write in append mode: lines of two processes do not mix.
    file = os.open(os.environ[JOURNAL], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, line.encode())
    finally:
        os.close(file)
