"""Tools with hooks, which workers find in this module."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

from toolferry import Hooks, tool
from toolferry_policies import Accept, Aftermath, Block, Replace, Underway

_STATE: ContextVar[str] = ContextVar("state", default="bare")


@contextmanager
def wrapping(_call: Underway) -> Iterator[None]:
    """Mark the context of the handler."""
    token = _STATE.set("wrapped")
    yield
    _STATE.reset(token)


@asynccontextmanager
async def waiting(_call: Underway) -> AsyncIterator[None]:
    """Wait before and after."""
    await asyncio.sleep(0.001)
    yield
    await asyncio.sleep(0.001)


async def judging(came: Aftermath) -> Accept | Replace | Block:
    """Judge what was returned."""
    await asyncio.sleep(0.001)
    if came.content == "secret":
        return Block("it is secret")
    return Replace(f"{came.content}, judged", "to show it")


NAMES = ("hooked_async", "hooked_process", "secretive_async", "secretive_process")
hooks = Hooks(execute=[wrapping, waiting], post_execute=[judging], tools=NAMES)


@tool
async def hooked_async() -> str:
    """Tell what the context says."""
    return _STATE.get()


@tool
def hooked_process() -> str:
    """Tell what the context says."""
    return _STATE.get()


@tool
async def secretive_async() -> str:
    """Tell a secret."""
    return "secret"


@tool
def secretive_process() -> str:
    """Tell a secret."""
    return "secret"
