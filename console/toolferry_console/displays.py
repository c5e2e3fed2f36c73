"""Displays: what each call of a turn is about, for the people who watch it."""

from __future__ import annotations

from toolferry import Registry
from toolferry.legible import one_line
from toolferry_console.tables import MAX_DISPLAY
from toolferry_dispatcher import TurnHandle
from toolferry_dispatcher.reading import read_response


def displays_of(
    handle: TurnHandle, response: object, registry: Registry, locale: str
) -> tuple[str, ...]:
    """Say of every call of a turn what it is about, in the model's order.

    A call of a tool that is not known is about its name.

    Args:
        handle: The turn.
        response: The response that it was dispatched for; it is read again for the arguments.
        registry: The tools, with their displays.
        locale: The language of who watches, as BCP 47.
    """
    _, reply = read_response(response, handle.meta.provider)
    displays = []
    for meta, read in zip(handle.meta.calls, reply.calls, strict=True):
        tool = registry.get(meta.name)
        said = "" if tool is None else tool.describe(read.call.arguments, locale)
        displays.append(one_line(said.strip() or meta.name, MAX_DISPLAY))
    return tuple(displays)
