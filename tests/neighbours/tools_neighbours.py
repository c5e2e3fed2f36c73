"""Tools that agents of other frameworks call: one for each way in which a call can end."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path

from toolferry import RetryPolicy, Risk, ToolContext, ToolError, tool

#: A picture, as far as anybody looks.
PICTURE = b"\x89PNG\r\n\x1a\n"


@tool(name="weather.get")
async def weather(city: str, config: str = "metric") -> str:
    """Tell the weather of a city."""
    return f"{city}: {config}"


@tool
async def who(ctx: ToolContext) -> dict[str, str]:
    """Tell on whose behalf the call is made, and which one it is."""
    return {
        "principal": ctx.identity.principal,
        "call_id": ctx.call_id,
        "turn": ctx.turn_id,
        "place": ctx.call_key.rpartition(":")[2],
    }


@tool(permissions={"money:move"})
async def pay(amount: int) -> None:
    """Pay somebody."""


@tool
async def explain() -> None:
    """Fail in words that a model may read."""
    raise ToolError("no_such_city", "There is no such city.")


@tool(timeout=0.2, retry=RetryPolicy(max_attempts=1))
async def sleepy() -> None:
    """Take longer than it may."""
    await asyncio.sleep(60)


@tool
async def draw() -> dict[str, object]:
    """Draw a chart."""
    data = base64.b64encode(PICTURE).decode()
    return {"chart": {"type": "base64", "media_type": "image/png", "data": data}}


@tool(timeout=60)
async def held(folder: str) -> None:
    """Wait until the call is cancelled, and show both in a folder."""
    Path(folder, "begun").touch()  # noqa: ASYNC240 -- nothing else runs there
    try:
        await asyncio.sleep(60)
    finally:
        Path(folder, "ended").touch()  # noqa: ASYNC240 -- as above


@tool(risk=Risk.HIGH)
async def launch() -> None:
    """Do what is offered only to those who ask for it."""
