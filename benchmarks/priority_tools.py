"""The tool of the priority benchmark."""

from __future__ import annotations

import asyncio
import random

from toolferry import tool

#: Seconds, at the least and at the most: four slots that are taken for so long come free one every
#: 10 ms on average, and not all at once.
TAKES = (0.02, 0.06)


@tool(deadline=600)
async def take_a_slot() -> None:
    """Take a slot for a while."""
    await asyncio.sleep(random.uniform(*TAKES))  # noqa: S311 -- no secret
