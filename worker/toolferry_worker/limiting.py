"""The limits of a tool that operators declare, as a worker keeps them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from toolferry import Tool


def within_limits(tool: Tool, max_result_bytes: int | None) -> Tool:
    """Give the tool with the limit that its call was admitted with.

    Args:
        tool: As this worker has it.
        max_result_bytes: The limit of its results; None leaves it as it is.
    """
    if max_result_bytes is None or max_result_bytes == tool.max_result_bytes:
        return tool
    return _limited(tool, max_result_bytes)


# Making a tool takes longer than running one; few tools are limited, each in one way.
@lru_cache(maxsize=256)
def _limited(tool: Tool, max_result_bytes: int) -> Tool:
    return replace(tool, max_result_bytes=max_result_bytes)
