"""Pydantic AI: a toolset whose tools run on workers. Needs `toolferry[pydantic-ai]`.

1. `get_tools` offers the menu of the moment, by names that every provider takes.
2. Pydantic AI runs the calls of one response beside each other and hands in each by itself: each is
   a turn of one call.
3. A failure that the model can mend by writing the call anew is a `ModelRetry`, which counts
   against the tool's retries; any other one is a `ToolFailed`, which only tells the model.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Unpack

from pydantic_ai import BinaryContent, ModelRetry, ToolFailed
from pydantic_ai.tools import AgentDepsT, RunContext, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from toolferry import ToolCall
from toolferry.fitted import MENDABLE
from toolferry_dispatcher.aio import AsyncDispatcher
from toolferry_dispatcher.neighbours.carrying import (
    OfferedTool,
    carry_async,
    nothing_more,
    offered_tools,
)
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.providers import Told

#: The arguments are an object; whether they fit is judged with everything else about the call.
_ARGUMENTS: Final = SchemaValidator(core_schema.dict_schema(core_schema.str_schema()))


@dataclass(kw_only=True)
class _StepTool(ToolsetTool[AgentDepsT]):
    """A tool as it was offered in a step, with what it is really called."""

    own_name: str
    options: DispatchOptions


class ToolferryToolset(AbstractToolset[AgentDepsT]):
    """The tools of a dispatcher for a Pydantic AI agent.

    Args:
        dispatcher: Who has the calls carried; it is not closed.
        toolset_id: The toolset's id, which durable execution asks for.
        max_retries: How often one tool may be called anew because of a mistake of the model in one
            run; the agent's own number when None.
        options_of: What is said about the turns of a run, such as the context that its `deps` hold;
            asked at every step, and wins over `options`.
        **options: What is said about every turn; see `DispatchOptions`. `visible` names the tools
            that are offered. The conversation is that of the run where none is given.
    """

    def __init__(
        self,
        dispatcher: AsyncDispatcher,
        *,
        toolset_id: str | None = None,
        max_retries: int | None = None,
        options_of: Callable[[RunContext[AgentDepsT]], DispatchOptions] = nothing_more,
        **options: Unpack[DispatchOptions],
    ) -> None:
        self._dispatcher = dispatcher
        self._id = toolset_id
        self._max_retries = max_retries
        self._options_of = options_of
        self._options = options

    @property
    def id(self) -> str | None:
        """The toolset's id; None when it was given none."""
        return self._id

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        """Give the tools that are offered in this step, as the policy has them now.

        Raises:
            ToolInvalid: Two of them would go by one name.
        """
        options: DispatchOptions = {"conversation_id": ctx.conversation_id or ""}
        options |= self._options
        options |= self._options_of(ctx)
        offered = offered_tools(self._dispatcher, options.get("visible"))
        options["visible"] = frozenset(one.own_name for one in offered)
        return {one.name: self._tool(one, ctx, options) for one in offered}

    def _tool(
        self, offered: OfferedTool, ctx: RunContext[AgentDepsT], options: DispatchOptions
    ) -> _StepTool[AgentDepsT]:
        return _StepTool(
            toolset=self,
            tool_def=ToolDefinition(
                name=offered.name,
                description=offered.description,
                parameters_json_schema=offered.parameters,
            ),
            max_retries=ctx.max_retries if self._max_retries is None else self._max_retries,
            args_validator=_ARGUMENTS,
            own_name=offered.own_name,
            options=options,
        )

    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[AgentDepsT],
        tool: ToolsetTool[AgentDepsT],
    ) -> Any:
        """Have one call carried, and give what the model is told of it.

        Raises:
            ModelRetry: The model can mend the call.
            ToolFailed: The call failed otherwise, was denied or cancelled, or took too long.
            ToolferryError: The turn could not be dispatched, or its result not be had.
        """
        assert isinstance(tool, _StepTool)  # noqa: S101 -- for the type checker: it is ours
        call = ToolCall(ctx.tool_call_id or "", tool.own_name, tool_args)
        [told] = await carry_async(self._dispatcher, [call], tool.options)
        return _answer(told)


def _answer(told: Told) -> Any:
    """Say the answer to a call as Pydantic AI wants it said."""
    if told.is_error:
        raise ModelRetry(told.text) if told.code in MENDABLE else ToolFailed(told.text)
    media = [
        BinaryContent(base64.b64decode(one.data), media_type=one.media_type) for one in told.media
    ]
    return [told.text, *media] if media else told.text
