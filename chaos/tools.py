"""The tools of the chaos run: each writes down in the handlers' journal what it does.

A handler's journal is all that is believed about what ran: the start and the end of each attempt,
with its process, and the handler's word where it asked to be run again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from chaos import sabotage
from chaos.journal import RunFolder, append
from toolferry import Concurrency, Effect, EffectClass, RetryCall, RetryPolicy, ToolContext, tool

#: Seconds in which a call has to end. Longer than any recovery: what it ends was stuck.
DEADLINE: Final = float(os.environ.get("CHAOS_DEADLINE", "120"))
#: Seconds that one attempt may take. Longer than any process stays frozen.
TIMEOUT: Final = min(20.0, DEADLINE)
#: A call may be hit by several faults, one after the other.
PATIENT: Final = RetryPolicy(max_attempts=8, base=0.05, cap=1.0)
#: A poison call kills its process this often.
POISONED: Final = RetryPolicy(max_attempts=2, base=0.05)
WRITE: Final = EffectClass.WRITE

sabotage.plant()


def _note(what: str, ctx: ToolContext) -> None:
    append(
        RunFolder.of_this_process().handlers,
        what,
        {
            "key": ctx.call_key,
            "attempt": ctx.attempt,
            "idempotency_key": ctx.idempotency_key,
            "pid": os.getpid(),
        },
    )


@contextmanager
def _told_if_stopped(ctx: ToolContext) -> Iterator[None]:
    try:
        yield
    except BaseException:  # its limit has passed, or its worker drains
        _note("stopped", ctx)
        raise


async def _work(ctx: ToolContext, milliseconds: int) -> None:
    _note("start", ctx)
    with _told_if_stopped(ctx):
        await asyncio.sleep(milliseconds / 1000)
    _note("end", ctx)


def _work_slowly(ctx: ToolContext, milliseconds: int) -> None:
    _note("start", ctx)
    with _told_if_stopped(ctx):
        time.sleep(milliseconds / 1000)
    _note("end", ctx)


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT)
async def look(ctx: ToolContext, work: int) -> int:
    """Read something that nobody changes, on the event loop."""
    await _work(ctx, work)
    return ctx.attempt


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT)
def look_slowly(ctx: ToolContext, work: int) -> int:
    """Read something that nobody changes, in a child process."""
    _work_slowly(ctx, work)
    return ctx.attempt


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT, concurrency=Concurrency(3))
async def take_seat(ctx: ToolContext, work: int) -> int:
    """Take one of three seats, and read."""
    await _work(ctx, work)
    return ctx.attempt


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT, resource="cell:{cell}")
async def read_cell(ctx: ToolContext, cell: int, work: int) -> int:
    """Read a cell."""
    await _work(ctx, work)
    return cell


@tool(
    deadline=DEADLINE,
    timeout=TIMEOUT,
    retry=PATIENT,
    resource="cell:{cell}",
    effect=WRITE,
    idempotent=True,
)
async def write_cell(ctx: ToolContext, cell: int, work: int) -> int:
    """Write a cell, on the event loop; may be repeated."""
    await _work(ctx, work)
    return cell


@tool(
    deadline=DEADLINE,
    timeout=TIMEOUT,
    retry=PATIENT,
    resource="cell:{cell}",
    effect=WRITE,
    idempotent=True,
)
def write_cell_slowly(ctx: ToolContext, cell: int, work: int) -> int:
    """Write a cell, in a child process; may be repeated."""
    _work_slowly(ctx, work)
    return cell


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT, resource="cell:{cell}", effect=WRITE)
async def charge_cell(ctx: ToolContext, cell: int, work: int) -> int:
    """Write a cell; must not be repeated."""
    await _work(ctx, work)
    return cell


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT, effect=WRITE)
async def charge(ctx: ToolContext, work: int) -> str:
    """Do what must not be done twice, on the event loop."""
    await _work(ctx, work)
    return ctx.idempotency_key


@tool(
    deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT, effect=EffectClass.DESTRUCTIVE, confirm=False
)
def charge_slowly(ctx: ToolContext, work: int) -> str:
    """Do what must not be done twice, in a child process."""
    _work_slowly(ctx, work)
    return ctx.idempotency_key


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT, effect=WRITE)
async def charge_later(ctx: ToolContext, work: int) -> str:
    """Do what must not be done twice, and say at first that nothing was done."""
    if ctx.attempt == 1:
        _note("start", ctx)
        _note("refused", ctx)
        raise RetryCall(after=0.05, effect=Effect.NONE)
    await _work(ctx, work)
    return ctx.idempotency_key


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT)
async def stumble(ctx: ToolContext, work: int) -> int:
    """Fail at the first attempt, then read."""
    if ctx.attempt == 1:
        _note("start", ctx)
        _note("failed", ctx)
        raise RetryCall(after=0.05)
    await _work(ctx, work)
    return ctx.attempt


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=PATIENT, exclusive=True)
async def reset_board(ctx: ToolContext, work: int) -> int:
    """Run alone in its turn."""
    await _work(ctx, work)
    return ctx.attempt


@tool(deadline=DEADLINE, timeout=TIMEOUT, retry=POISONED, effect=WRITE, idempotent=True)
def drink_poison(ctx: ToolContext, work: int) -> None:
    """Kill the process that runs it, each time."""
    _note("start", ctx)
    time.sleep(work / 1000)
    _note("poison", ctx)
    os.kill(os.getpid(), signal.SIGKILL)
