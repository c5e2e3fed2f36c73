"""Tools that take a cancellation in every way in which a handler can, in both lanes.

Each says in a folder that it has begun, and most go on until a file `go` is there.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from pathlib import Path

from celery.exceptions import SoftTimeLimitExceeded

from toolferry import Effect, EffectClass, RetryCall, RetryPolicy, ToolContext, tool

#: So soon that a test hears of an attempt too many.
SOON = RetryPolicy(max_attempts=5, base=0.01, cap=0.01)


def begin(folder: str, ctx: ToolContext) -> None:
    """Say that an attempt has begun, and in which process."""
    written = Path(folder, f"{ctx.call_id}.{ctx.attempt}.part")
    written.write_text(str(os.getpid()), encoding="utf-8")
    written.rename(written.with_suffix(""))


def let_go(folder: str) -> bool:
    """Tell whether the test lets handlers end."""
    return Path(folder, "go").exists()


async def _wait_loop(folder: str) -> None:
    while not let_go(folder):  # noqa: ASYNC110 -- another process does it
        await asyncio.sleep(0.02)


def _wait(folder: str) -> None:
    while not let_go(folder):
        time.sleep(0.02)  # a file is all that a test and a handler in a child share


@tool(timeout=60, retry=SOON)
async def obey_loop(folder: str, ctx: ToolContext) -> str:
    """Stop when it is asked to."""
    begin(folder, ctx)
    await _wait_loop(folder)
    return "done"


@tool(timeout=60, retry=SOON)
def obey(folder: str, ctx: ToolContext) -> str:
    """Stop when it is asked to."""
    begin(folder, ctx)
    _wait(folder)
    return "done"


@tool(timeout=60, effect=EffectClass.WRITE)
async def write_loop(folder: str, ctx: ToolContext) -> str:
    """Stop when it is asked to; nobody knows what it has done by then."""
    begin(folder, ctx)
    await _wait_loop(folder)
    return "written"


@tool(timeout=60, effect=EffectClass.WRITE)
def write(folder: str, ctx: ToolContext) -> str:
    """Stop when it is asked to; nobody knows what it has done by then."""
    begin(folder, ctx)
    _wait(folder)
    return "written"


@tool(timeout=60, effect=EffectClass.WRITE)
async def undo_loop(folder: str, ctx: ToolContext) -> None:
    """Undo everything when it is asked to stop, and say so."""
    begin(folder, ctx)
    with suppress(asyncio.CancelledError):
        await _wait_loop(folder)
    raise RetryCall(effect=Effect.NONE)


@tool(timeout=60, effect=EffectClass.WRITE)
def undo(folder: str, ctx: ToolContext) -> None:
    """Undo everything when it is asked to stop, and say so."""
    begin(folder, ctx)
    with suppress(SoftTimeLimitExceeded):
        _wait(folder)
    raise RetryCall(effect=Effect.NONE)


@tool(timeout=60)
async def finish_loop(folder: str, ctx: ToolContext) -> str:
    """End well when it is asked to stop."""
    begin(folder, ctx)
    with suppress(asyncio.CancelledError):
        await _wait_loop(folder)
    return "done all the same"


@tool(timeout=60)
def finish(folder: str, ctx: ToolContext) -> str:
    """End well when it is asked to stop."""
    begin(folder, ctx)
    with suppress(SoftTimeLimitExceeded):
        _wait(folder)
    return "done all the same"


@tool(timeout=60, retry=SOON)
async def stumble_loop(folder: str, ctx: ToolContext) -> None:
    """Fail when it is asked to stop."""
    begin(folder, ctx)
    try:
        await _wait_loop(folder)
    finally:
        raise RuntimeError("the clean-up failed")


@tool(timeout=60, retry=SOON)
def stumble(folder: str, ctx: ToolContext) -> None:
    """Fail when it is asked to stop."""
    begin(folder, ctx)
    try:
        _wait(folder)
    finally:
        raise RuntimeError("the clean-up failed")


@tool(timeout=60)
async def deaf_loop(folder: str, ctx: ToolContext) -> str:
    """Go on until it is let go, whatever it is asked."""
    begin(folder, ctx)
    while not let_go(folder):
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0.02)
    return "too late"


@tool(timeout=60)
def deaf(folder: str, ctx: ToolContext) -> str:
    """Go on until it is let go, whatever it is asked."""
    begin(folder, ctx)
    while not let_go(folder):
        with suppress(SoftTimeLimitExceeded):
            time.sleep(0.02)
    return "too late"


@tool(timeout=60)
async def block_loop(folder: str, ctx: ToolContext) -> str:
    """Keep the event loop until it is let go."""
    begin(folder, ctx)
    _wait(folder)
    return "too late"


@tool
async def echo_loop(text: str) -> str:
    """Give a text back."""
    return text


@tool
def echo(text: str) -> str:
    """Give a text back."""
    return text


def _note(journal: str, what: str, ctx: ToolContext) -> None:
    """Write a line into a journal that many processes share: one short append is one piece."""
    with Path(journal).open("a", encoding="utf-8") as opened:
        opened.write(f"{what} {ctx.call_key}\n")


@tool(timeout=60, effect=EffectClass.WRITE)
async def brief_loop(journal: str, seconds: float, ctx: ToolContext) -> str:
    """Note its begin and its end, some moments apart."""
    _note(journal, "begin", ctx)
    await asyncio.sleep(seconds)
    _note(journal, "end", ctx)
    return "done"


@tool(timeout=60, effect=EffectClass.WRITE)
def brief(journal: str, seconds: float, ctx: ToolContext) -> str:
    """Note its begin and its end, some moments apart."""
    _note(journal, "begin", ctx)
    time.sleep(seconds)  # the handler's work; it is interrupted when its call is cancelled
    _note(journal, "end", ctx)
    return "done"


@tool(timeout=60, effect=EffectClass.WRITE)
def brief_deaf(journal: str, seconds: float, ctx: ToolContext) -> str:
    """Do the same, whatever it is asked."""
    _note(journal, "begin", ctx)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(SoftTimeLimitExceeded):
            time.sleep(max(0.0, until - time.monotonic()))
    _note(journal, "end", ctx)
    return "done"
