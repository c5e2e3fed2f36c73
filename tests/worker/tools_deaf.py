"""Tools of a worker whose consumer can be made deaf, as a fault of the transport would."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any

from kombu.transport import redis

from toolferry import tool


def _ask_nothing(*_: Any, **__: Any) -> None:
    """Ask the server for no message."""


if os.environ.get("DEAF"):
    setattr(redis.Channel, "_brpop_start", _ask_nothing)  # noqa: B010 -- not in its stubs


@tool(timeout=60)
async def nap_loop(seconds: float) -> None:
    """Wait on the loop."""
    await asyncio.sleep(seconds)


@tool(timeout=60)
def nap(seconds: float) -> None:
    """Wait in a child."""
    time.sleep(seconds)
