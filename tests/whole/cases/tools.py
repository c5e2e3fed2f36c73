"""Tools that behave as the handlers of the cases: they die, hang, fail and commit."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Literal

from tests.whole.cases.scenario import load_case, note
from toolferry import EffectClass, RetryPolicy, ToolContext, ToolError, tool

_POISON, _ = load_case("25a-sigkill-poison")
_LIMITS, _ = load_case("26a-time-limits")
_LATE, _ = load_case("26b-time-limits")
_STORM, _ = load_case("29-retry-storm")
_KEYS, _ = load_case("35b-side-effect-twice")

#: An even draw from this many seconds spreads the second attempts of calls that failed together.
_SPREAD = 8.0


def _quickly(attempts: int) -> RetryPolicy:
    """Give a policy whose waits a test need not wait for."""
    return RetryPolicy(max_attempts=attempts, base=0.02, cap=0.02)


@tool(retry=_quickly(_POISON["max_attempts"]))
def die(
    journal: str, how: Literal["SIGKILL", "SIGABRT", "SIGSEGV", "exit"], ctx: ToolContext
) -> None:
    """Take the process along, on every attempt."""
    note(journal, ctx.call_id, ctx.attempt)
    if how == "exit":
        os._exit(7)
    os.kill(os.getpid(), getattr(signal, how))
    signal.pause()


@tool
def live(text: str) -> str:
    """Give a text back."""
    return text


@tool(effect=EffectClass.WRITE, retry=_quickly(_POISON["max_attempts"]))
def write_and_die(journal: str, ctx: ToolContext) -> str:
    """Write, and take the process along on the first attempt."""
    note(journal, ctx.call_id, ctx.attempt)
    if ctx.attempt == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return "written"


@tool(timeout=_LIMITS["soft"])
def deaf(swallow: Literal["Exception", "BaseException"]) -> str:
    """Swallow whatever would stop it, for 20 seconds."""
    kind = Exception if swallow == "Exception" else BaseException
    until = time.monotonic() + 20
    while time.monotonic() < until:
        with suppress(kind):
            # Case 26 is about a handler that sleeps and swallows what would wake it.
            time.sleep(0.1)
    return "too late"


@tool(timeout=_LATE["timeout"])
async def late(seconds: float) -> str:
    """Ignore the cancellation and return in the end."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0.1)
    return "late"


@tool(
    deadline=_STORM["deadline_s"],
    timeout=5,
    retry=RetryPolicy(max_attempts=_STORM["max_attempts"], base=_SPREAD, cap=_SPREAD),
)
async def fail_always(journal: str, ctx: ToolContext) -> None:
    """Fail in a way that invites another attempt."""
    note(journal, ctx.call_id, ctx.attempt, time.time())
    raise ToolError("away", "The service is away.", retryable=True)


@tool(effect=EffectClass.WRITE)
async def pay(journal: str, ctx: ToolContext) -> None:
    """Commit, and fail to hear of it."""
    note(journal, ctx.idempotency_key)
    raise TimeoutError


@tool(
    effect=EffectClass.WRITE,
    idempotent=True,
    retry=_quickly(_KEYS["max_attempts"]),
)
async def pay_by_key(journal: str, ctx: ToolContext) -> str:
    """Fail twice before it commits."""
    note(journal, ctx.idempotency_key)
    if ctx.attempt < 3:
        raise ConnectionError
    return "paid"


@tool
async def wait_a_while(seconds: float) -> str:
    """Wait on the event loop."""
    await asyncio.sleep(seconds)
    return "waited"


@tool
def sleep_a_while(seconds: float) -> str:
    """Sleep in a process."""
    # Case 36 is about a handler that blocks its process: to wait for an event would not be one.
    time.sleep(seconds)
    return "slept"


async def _later() -> str:
    await asyncio.sleep(0)
    return "awaited"


@tool
def hand_over() -> Coroutine[None, None, str]:
    """Return a coroutine, as a wrapper of an async function does."""
    return _later()


@tool
async def nest() -> str:
    """Run a loop inside of a loop."""
    return asyncio.run(_later())


@tool(allowed_roles={"admin"})
async def guarded() -> str:
    """Do what only administrators may."""
    return "done"


@tool(effect=EffectClass.WRITE, confirm=True, deadline=300)
async def pay_out(journal: str, ctx: ToolContext) -> str:
    """Pay, when a person says so."""
    note(journal, ctx.call_id)
    return "paid out"


@tool(effect=EffectClass.WRITE, timeout=60)
def hold(journal: str, ctx: ToolContext) -> None:
    """Write, and stay at it."""
    note(journal, ctx.call_id)
    signal.pause()
