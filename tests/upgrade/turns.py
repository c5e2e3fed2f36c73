"""The turns that both releases dispatch."""

from __future__ import annotations

from toolferry import Context, ToolCall

#: For whom some turns are.
SOMEBODY = Context(tenant="acme", principal="ann")


def calls_of(number: int) -> list[ToolCall]:
    """Give the calls of one turn: both lanes, a resource, a retry now and then."""
    names = ("echo", "double", "tally", "echo")
    return [ToolCall(f"c{at}", name, {"number": number}) for at, name in enumerate(names)]


def contents_of(number: int) -> list[int]:
    """Give what the handlers of that turn return."""
    return [number, 2 * number, number, number]
