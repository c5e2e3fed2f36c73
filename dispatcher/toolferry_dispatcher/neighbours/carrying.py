"""What all neighbours do: offer tools, and have the calls of a model carried."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from toolferry import ToolferryError
from toolferry_dispatcher.aio import AsyncDispatcher, AsyncTurn
from toolferry_dispatcher.base import BaseDispatcher
from toolferry_dispatcher.cancelling import NOBODY_WAITS
from toolferry_dispatcher.dispatcher import Dispatcher
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.providers import ExamplePlace, Told

#: The agent's side, for threads or for event loops.
AnyDispatcher = Dispatcher | AsyncDispatcher

#: The format in which tools are offered: its names and schemas are taken by all providers.
_FORMAT: Final = "openai-chat"


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool as a neighbour's model is offered it."""

    #: What it is called in requests to models; depends on its own name alone.
    name: str
    description: str
    #: A JSON Schema of an object.
    parameters: dict[str, Any]
    #: What it is called everywhere else.
    own_name: str


def offered_tools(dispatcher: BaseDispatcher, visible: Collection[str] | None) -> list[OfferedTool]:
    """Give the tools that a model is offered.

    Args:
        dispatcher: Whose tools.
        visible: Their names, or a menu. When None, all but the dangerous ones, as in `menu()`.

    Raises:
        ToolInvalid: Two of them would go by one name.
    """
    menu = dispatcher.menu() if visible is None else dispatcher.menu(names=visible)
    schemas = menu.schemas(_FORMAT, ExamplePlace.DESCRIPTION)
    described = (schema["function"] for schema in schemas)
    return [
        OfferedTool(one["name"], one.get("description", ""), one["parameters"], tool.name)
        for one, tool in zip(described, menu.tools, strict=True)
    ]


def carry(dispatcher: Dispatcher, response: object, options: DispatchOptions) -> list[Told]:
    """Have the calls of one turn carried, and give what the model is told of each, in order.

    Raises:
        ToolferryError: The turn could not be dispatched, or its results not be had.
    """
    return dispatcher.dispatch(response, **options).told()


async def carry_async(
    dispatcher: AnyDispatcher, response: object, options: DispatchOptions
) -> list[Told]:
    """Do the same without blocking the event loop.

    When the waiting task is cancelled, the calls are cancelled too, unless the turn has a name:
    whoever knows that can come back for its results. Calls of a `Dispatcher` run on.
    """
    if isinstance(dispatcher, Dispatcher):
        return await asyncio.to_thread(carry, dispatcher, response, options)
    # The turn is known only when it is dispatched, and its calls may run before that is heard of.
    dispatching = asyncio.ensure_future(dispatcher.dispatch(response, **options))
    try:
        turn = await asyncio.shield(dispatching)
        return await turn.told()
    except asyncio.CancelledError:
        if not options.get("turn_id"):
            # It goes on by itself where the cancelled task may not wait any more.
            await asyncio.shield(asyncio.ensure_future(_call_off(dispatching)))
        raise


async def _call_off(dispatching: asyncio.Future[AsyncTurn]) -> None:
    """Cancel the calls of a turn as soon as it is known."""
    with suppress(ToolferryError):
        await (await dispatching).cancel(NOBODY_WAITS)


def nothing_more(_run: object) -> DispatchOptions:
    """Say nothing more about a turn: the default of `options_of`."""
    return {}
