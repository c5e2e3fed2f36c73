"""Tools that behave in every way in which a handler can behave."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator

from toolferry import (
    CancelCall,
    EffectClass,
    Lane,
    RetryCall,
    RetryPolicy,
    ToolContext,
    ToolError,
    tool,
)

#: Short, so that tests need not wait.
FAST = RetryPolicy(max_attempts=3, base=0.02, cap=0.02)
#: What no model may ever read.
SECRET = "hunter2"  # noqa: S105 -- an example


_LEFT_BEHIND: list[asyncio.Task[None]] = []


class NotJson:
    """What cannot become JSON data."""


@tool
async def echo(text: str) -> str:
    """Give a text back."""
    return text


@tool
def add(left: int, right: int = 1) -> int:
    """Add two numbers."""
    return left + right


def _even(number: int) -> int:
    if number % 2:
        raise ValueError("it must be even")
    return number


@tool
def halve(number: Annotated[int, AfterValidator(_even)]) -> int:
    """Halve an even number."""
    return number // 2


@tool
async def time_bomb() -> str:
    """Leave a task behind that ends the program."""

    async def leave_later() -> None:
        """End the process a little later."""
        sys.exit(3)

    _LEFT_BEHIND.append(asyncio.create_task(leave_later()))
    return "left"


@tool
def where(ctx: ToolContext) -> dict[str, object]:
    """Tell what a handler knows of its call, and in which process it runs."""
    return {"pid": os.getpid(), "group": os.getpgid(0), "attempt": ctx.attempt, "key": ctx.call_key}


@tool(retry=FAST)
async def third_time(ctx: ToolContext) -> int:
    """Fail twice, then succeed."""
    if ctx.attempt < 3:
        raise RuntimeError(SECRET)
    return ctx.attempt


@tool(retry=FAST)
async def again(ctx: ToolContext) -> int:
    """Ask once to be tried again."""
    if ctx.attempt == 1:
        raise RetryCall(after=0.05)
    return ctx.attempt


@tool(retry=RetryPolicy(max_attempts=1))
def leak() -> None:
    """Fail with a message that holds a secret."""
    raise RuntimeError(SECRET)


@tool
def explain() -> None:
    """Fail in words that the model may read."""
    raise ToolError("no_such_city", "There is no such city.")


@tool
async def give_up() -> None:
    """End as cancelled."""
    raise CancelCall("The user has left.")


@tool(retry=RetryPolicy(max_attempts=1))
def leave() -> None:
    """End the program, as far as that goes."""
    sys.exit(3)


@tool(retry=RetryPolicy(max_attempts=1))
async def leave_loop() -> None:
    """End the program from the event loop, as far as that goes."""
    sys.exit(3)


@tool(retry=RetryPolicy(max_attempts=1))
async def interrupt() -> None:
    """Raise what is no Exception."""
    raise KeyboardInterrupt


@tool(retry=RetryPolicy(max_attempts=1))
async def cancel_itself() -> None:
    """Raise what looks like a cancellation by the worker."""
    raise asyncio.CancelledError


@tool(retry=FAST)
def vanish(ctx: ToolContext) -> int:
    """Take the process along, once."""
    if ctx.attempt == 1:
        os._exit(7)
    return ctx.attempt


@tool(effect=EffectClass.WRITE)
def vanish_after_write() -> None:
    """Take the process along after something may have happened."""
    os._exit(7)


@tool
def shout() -> int:
    """Print 10 MB."""
    for _ in range(10):
        print("x" * 1_000_000)  # noqa: T201 -- that is what it is about
    return 10


@tool
async def unspeakable() -> object:
    """Return what cannot become a result."""
    return NotJson()


@tool
def flood() -> str:
    """Return 50 MB."""
    return "x" * 50_000_000


@tool
def flood_list() -> list[str]:
    """Return 50 MB in pieces."""
    return ["x" * 1_000_000] * 50


@tool(timeout=0.5)
def deaf(seconds: float) -> str:
    """Swallow the soft limit and go on."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(Exception):
            time.sleep(0.1)  # the soft limit interrupts it, and is swallowed
    return "too late"


@tool(timeout=0.4)
def overtime() -> str:
    """End between the soft and the hard limit."""
    with contextlib.suppress(Exception):
        time.sleep(0.6)  # interrupted by the soft limit at 0.4 s; the hard one never comes
    return "too late"


@tool(timeout=0.4)
async def deaf_loop(seconds: float) -> str:
    """Ignore the cancellation and go on."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0.1)
    return "too late"


@tool(timeout=0.4)
async def sleepy() -> None:
    """Sleep longer than allowed."""
    await asyncio.sleep(30)


@tool(lane=Lane.PROCESS)
async def elsewhere() -> int:
    """Run an async handler in a process of its own."""
    await asyncio.sleep(0)
    return os.getpid()


@tool(timeout=60, retry=FAST)
def held(folder: str, ctx: ToolContext) -> str:
    """Say in a folder that it runs; the first attempt waits there until it is let go."""
    _arrive(folder, ctx)
    while ctx.attempt == 1 and not _let_go(folder):
        time.sleep(0.02)  # a file is all that a test and a handler in a child share
    return f"attempt {ctx.attempt}"


@tool(timeout=60, retry=FAST)
async def held_loop(folder: str, ctx: ToolContext) -> str:
    """Do the same on the event loop."""
    _arrive(folder, ctx)
    while ctx.attempt == 1 and not _let_go(folder):  # noqa: ASYNC110 -- another process does it
        await asyncio.sleep(0.02)
    return f"attempt {ctx.attempt}"


@tool(timeout=60)
async def block_loop(folder: str, ctx: ToolContext) -> None:
    """Keep the event loop from all other calls until it is let go."""
    _arrive(folder, ctx)
    while not _let_go(folder):
        time.sleep(0.02)  # noqa: ASYNC251 -- what it is for


@tool(timeout=60, effect=EffectClass.WRITE)
def held_write(folder: str, ctx: ToolContext) -> str:
    """Do the same, with an effect that must not happen twice."""
    _arrive(folder, ctx)
    while not _let_go(folder):
        time.sleep(0.02)
    return "written"


@tool(timeout=60)
def report(folder: str, ctx: ToolContext) -> str:
    """Tell how far it is, then wait until it is let go."""
    ctx.progress(0.5, "half way")
    while not _let_go(folder):
        time.sleep(0.02)
    return "done"


def _for_ever(_: object) -> str:
    while True:
        time.sleep(1)


@tool(timeout=0.5, render_result=_for_ever)
def hang_in_view() -> str:
    """Work, but never show what came of it."""
    return "done"


@tool(render_result=lambda number: f"{number} things")
async def count_for_people(number: int) -> int:
    """Give a number back."""
    return number


def _let_go(folder: str) -> bool:
    return Path(folder, "go").exists()


def _arrive(folder: str, ctx: ToolContext) -> None:
    written = Path(folder, f"{ctx.call_id}.{ctx.attempt}.part")
    written.write_text(str(os.getpid()), encoding="utf-8")
    written.rename(written.with_suffix(""))
