"""OpenAI Agents: function tools that run on workers. Needs `toolferry[openai-agents]`.

1. The tools are those of the moment in which they are made, by names that every provider takes.
2. The SDK runs the calls of one response beside each other and hands in each by itself: each is a
   turn of one call, read as a function call of the Responses API, whose terms are the SDK's own.
3. A failure is a text like any answer: that is how the SDK tells a model.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Unpack

from agents import (
    FunctionTool,
    Tool,
    ToolOutputFileContent,
    ToolOutputImage,
    ToolOutputText,
)
from agents.tool_context import ToolContext

from toolferry_dispatcher.aio import AsyncDispatcher
from toolferry_dispatcher.neighbours.carrying import (
    OfferedTool,
    carry_async,
    nothing_more,
    offered_tools,
)
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.providers import Media, Told
from toolferry_dispatcher.providers.told import MediaKind, kind_of_media, without_media

#: What an output of the SDK can hold besides text.
_SHOWN: Final = frozenset({MediaKind.IMAGE, MediaKind.FILE})


def toolferry_tools(
    dispatcher: AsyncDispatcher,
    *,
    options_of: Callable[[ToolContext[Any]], DispatchOptions] = nothing_more,
    **options: Unpack[DispatchOptions],
) -> list[Tool]:
    """Give the tools of a dispatcher for an agent of the OpenAI Agents SDK.

    Args:
        dispatcher: Who has the calls carried; it is not closed.
        options_of: What is said about the turn of a call, such as the context that the run's own
            context holds; wins over `options`.
        **options: What is said about every turn; see `DispatchOptions`. `visible` names the tools
            that are offered.

    Raises:
        ToolInvalid: Two of the tools would go by one name.
    """
    offered = offered_tools(dispatcher, options.get("visible"))
    options["visible"] = frozenset(one.own_name for one in offered)

    async def carried(context: ToolContext[Any], name: str, arguments: str) -> Any:
        """Have one call carried, and give what the model is told of it."""
        call = {
            "type": "function_call",
            "call_id": context.tool_call_id,
            "name": name,
            "arguments": arguments,
        }
        about: DispatchOptions = {**options, **options_of(context), "provider": "openai-responses"}
        [told] = await carry_async(dispatcher, {"output": [call]}, about)
        return _output(told)

    return [_tool(one, carried) for one in offered]


def _tool(
    offered: OfferedTool, carried: Callable[[ToolContext[Any], str, str], Awaitable[Any]]
) -> Tool:
    async def invoke(context: ToolContext[Any], arguments: str) -> Any:
        """Answer one call of this tool."""
        return await carried(context, offered.name, arguments)

    return FunctionTool(
        name=offered.name,
        description=offered.description,
        params_json_schema=offered.parameters,
        on_invoke_tool=invoke,
        # Strict schemas would make every parameter required, also those with a default.
        strict_json_schema=False,
    )


def _output(told: Told) -> Any:
    """Say the answer to a call as the SDK wants it said."""
    told = without_media(told, lambda medium: kind_of_media(medium) not in _SHOWN)
    if not told.media:
        return told.text
    return [ToolOutputText(text=told.text), *map(_medium, told.media)]


def _medium(medium: Media) -> ToolOutputImage | ToolOutputFileContent:
    data = f"data:{medium.media_type};base64,{medium.data}"
    if kind_of_media(medium) is MediaKind.IMAGE:
        return ToolOutputImage(image_url=data)
    return ToolOutputFileContent(file_data=data, filename=medium.name or None)
