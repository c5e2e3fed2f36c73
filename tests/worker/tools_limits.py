"""Tools whose handlers outlive their limit, in every way in which one can."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import ctypes
import itertools
import os
import re
import subprocess
import time
from pathlib import Path

from toolferry import EffectClass, Lane, RetryPolicy, ToolContext, tool

#: Seconds; what a handler does beyond it is what the tests are about.
LIMIT = 1.0
ONCE = RetryPolicy(max_attempts=1)
#: So often that a match of the hopeless pattern takes for ever.
LETTERS = "a" * 64
#: Functions of the C library, called without letting go of the interpreter.
HOLDING = ctypes.PyDLL(None)


def spin(seconds: float) -> None:
    """Compute, in Python code."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def hold_interpreter() -> None:
    """Compute for ever, in foreign code that does not let go of the interpreter."""
    re.match(r"(a+)+$", LETTERS + "b")


@tool(timeout=LIMIT, retry=ONCE)
def sleep_child() -> None:
    """Sleep."""
    time.sleep(600)


@tool(timeout=LIMIT, retry=ONCE)
def spin_child() -> None:
    """Compute."""
    spin(600)


@tool(timeout=LIMIT, retry=ONCE)
def hold_child() -> None:
    """Hold the interpreter."""
    hold_interpreter()


@tool(timeout=LIMIT, retry=ONCE)
def deaf_child() -> None:
    """Hold the interpreter in code that does not look for signals; a pattern's match does."""
    collections.deque(itertools.repeat(0), maxlen=0)


@tool(timeout=LIMIT, retry=ONCE)
async def await_loop() -> None:
    """Await."""
    await asyncio.sleep(600)


@tool(timeout=LIMIT, retry=ONCE)
async def ignore_loop(seconds: float) -> str:
    """Ignore the cancellation."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(0.05)
    return "late"


@tool(timeout=LIMIT, retry=ONCE)
async def block_loop() -> None:
    """Block the loop."""
    time.sleep(600)  # noqa: ASYNC251 -- that is what it is about


@tool(timeout=LIMIT, retry=ONCE)
async def spin_loop() -> None:
    """Compute on the loop."""
    spin(600)


@tool(timeout=LIMIT, retry=ONCE)
async def hold_loop() -> None:
    """Hold the interpreter of the loop's process."""
    hold_interpreter()


@tool(timeout=LIMIT, retry=ONCE)
async def thread_loop() -> None:
    """Wait for a thread that never ends."""
    await asyncio.to_thread(time.sleep, 600)


@tool(timeout=60, effect=EffectClass.WRITE)
async def hold_loop_for(seconds: int) -> str:
    """Hold the interpreter of the loop's process within the limit."""
    HOLDING.sleep(seconds)
    return "done"


@tool(timeout=60, effect=EffectClass.WRITE)
def hold_child_for(seconds: int) -> str:
    """Hold the interpreter of a child within the limit."""
    HOLDING.sleep(seconds)
    return "done"


@tool(timeout=60)
async def work_loop(seconds: float) -> None:
    """Take some time, within the limit."""
    await asyncio.sleep(seconds)


@tool(timeout=60)
def work_child(seconds: float) -> None:
    """Take some time, within the limit."""
    time.sleep(seconds)


@tool(timeout=60)
async def wait_loop(folder: str, ctx: ToolContext) -> int:
    """Say that it runs; the first attempt waits for ever."""
    _arrive(folder, ctx)
    if ctx.attempt == 1:
        await asyncio.sleep(600)
    return ctx.attempt


@tool
async def echo_loop() -> int:
    """Give the process of the loop."""
    return os.getpid()


@tool
def echo_child() -> int:
    """Give the process of the child."""
    return os.getpid()


@tool(timeout=LIMIT, retry=ONCE)
def leave_behind(folder: str) -> None:
    """Start processes, in a session of their own too, and wait for them for ever."""
    for name, new_session in (("group", False), ("session", True)):
        process = subprocess.Popen(["/bin/sleep", "600"], start_new_session=new_session)
        Path(folder, name).write_text(str(process.pid), encoding="ascii")
    Path(folder, "ready").touch()
    process.wait()


@tool(lane=Lane.PROCESS)
def grow(megabytes: int) -> int:
    """Take memory and keep it."""
    _KEPT.append(bytearray(megabytes * 1_000_000))
    return os.getpid()


_KEPT: list[bytearray] = []


def _arrive(folder: str, ctx: ToolContext) -> None:
    Path(folder, f"{ctx.call_id}.{ctx.attempt}").touch()
