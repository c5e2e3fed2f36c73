"""LangChain: tools that run on workers. Needs `toolferry[langchain]`.

They are the tools of the moment in which they are made, to bind to a model, and for agents that run
tools one by one: each call is a turn of its own. A failure is a message with `status="error"`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, ToolException
from pydantic import PrivateAttr

from toolferry import ToolCall
from toolferry_dispatcher.dispatcher import Dispatcher
from toolferry_dispatcher.neighbours.carrying import (
    AnyDispatcher,
    OfferedTool,
    carry,
    carry_async,
    nothing_more,
    offered_tools,
)
from toolferry_dispatcher.neighbours.langchain_messages import content_of
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.providers import Told

#: Says of a run what `dispatch` is told about its turns, such as the context that its
#: `configurable` holds.
OptionsOf = Callable[[RunnableConfig], DispatchOptions]


def toolferry_tools(
    dispatcher: AnyDispatcher,
    *,
    options_of: OptionsOf = nothing_more,
    **options: Unpack[DispatchOptions],
) -> list[BaseTool]:
    """Give the tools of a dispatcher for a LangChain model or agent.

    Args:
        dispatcher: Who has the calls carried; it is not closed. The tools of an `AsyncDispatcher`
            can only be invoked on an event loop.
        options_of: What is said about the turn of a call; wins over `options`.
        **options: What is said about every turn; see `DispatchOptions`. `visible` names the tools
            that are offered. The conversation is the `thread_id` of the run where none is given.

    Raises:
        ToolInvalid: Two of the tools would go by one name.
    """
    offered = offered_tools(dispatcher, options.get("visible"))
    options["visible"] = frozenset(one.own_name for one in offered)
    about = options_about(options, options_of)
    return [_CarriedTool.of(one, dispatcher, about) for one in offered]


class _CarriedTool(BaseTool):
    """A tool each of whose calls is carried as a turn of its own."""

    handle_tool_error: Any = True
    _own_name: str = PrivateAttr()
    _dispatcher: AnyDispatcher = PrivateAttr()
    _about: OptionsOf = PrivateAttr()

    @classmethod
    def of(cls, offered: OfferedTool, dispatcher: AnyDispatcher, about: OptionsOf) -> _CarriedTool:
        made = cls(
            name=offered.name, description=offered.description, args_schema=offered.parameters
        )
        made._own_name, made._dispatcher, made._about = offered.own_name, dispatcher, about
        return made

    def _to_args_and_kwargs(self, tool_input: Any, tool_call_id: str | None) -> Any:
        # The only place that knows of both; names of parameters cannot meet LangChain's own here.
        arguments: Any = self._parse_input(tool_input, tool_call_id)
        return (ToolCall(tool_call_id or "", self._own_name, arguments),), {}

    def _run(self, call: ToolCall, config: RunnableConfig) -> Any:
        [told] = carry(threaded(self._dispatcher), [call], self._about(config))
        return _content_or_error(told)

    async def _arun(self, call: ToolCall, config: RunnableConfig) -> Any:
        [told] = await carry_async(self._dispatcher, [call], self._about(config))
        return _content_or_error(told)


def options_about(options: DispatchOptions, options_of: OptionsOf) -> OptionsOf:
    """Give what says everything about the turns of a run; `options_of` has the last word."""

    def about(config: RunnableConfig) -> DispatchOptions:
        """Say everything about a turn of a run."""
        thread = config.get("configurable", {}).get("thread_id", "")
        return {"conversation_id": str(thread), **options, **options_of(config)}

    return about


def _content_or_error(told: Told) -> Any:
    if told.is_error:
        raise ToolException(told.text)
    return content_of(told)


def threaded(dispatcher: AnyDispatcher) -> Dispatcher:
    """Require a dispatcher for threads.

    Raises:
        NotImplementedError: It is for event loops: LangChain's own word for that.
    """
    if isinstance(dispatcher, Dispatcher):
        return dispatcher
    raise NotImplementedError(
        "These tools have an AsyncDispatcher: use ainvoke, or make them with a Dispatcher."
    )
