"""LangGraph: a node whose calls run on workers. Needs `toolferry[langchain]`, no LangGraph.

1. It stands where LangGraph's `ToolNode` does: all calls of one message are one turn, and each is
   answered, also those whose arguments LangChain could not read.
2. That turn goes by a name made of the message: a graph that comes to the node again, in whatever
   process, gets the results of the turn that is there instead of making its calls once more.
3. A failure is a message with `status="error"`.
"""

from __future__ import annotations

from typing import Any, Unpack

from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda

from toolferry import ToolCall
from toolferry_dispatcher.neighbours.carrying import (
    AnyDispatcher,
    carry,
    carry_async,
    nothing_more,
    offered_tools,
)
from toolferry_dispatcher.neighbours.langchain import OptionsOf, options_about, threaded
from toolferry_dispatcher.neighbours.langchain_messages import (
    answer,
    body_of,
    calls_of,
    last_message,
    turn_id,
)
from toolferry_dispatcher.options import DispatchOptions
from toolferry_dispatcher.providers import Told


def toolferry_node(
    dispatcher: AnyDispatcher,
    *,
    messages_key: str = "messages",
    options_of: OptionsOf = nothing_more,
    **options: Unpack[DispatchOptions],
) -> Runnable[Any, Any]:
    """Give a LangGraph node that has the calls of the last message carried, all in one turn.

    Args:
        dispatcher: Who has the calls carried; it is not closed. The node of an `AsyncDispatcher`
            can only be invoked on an event loop.
        messages_key: Where the messages stand in the state, which may also be a list of them.
        options_of: What is said about the turns of a run, given its `RunnableConfig`; wins over
            `options`.
        **options: As in `toolferry_tools` of `neighbours.langchain`; `visible` is what the model
            was offered.

    Raises:
        ToolInvalid: Two of the tools would go by one name.
    """
    offered = offered_tools(dispatcher, options.get("visible"))
    options["visible"] = frozenset(one.own_name for one in offered)
    about = options_about(options, options_of)

    def plan(state: Any, config: RunnableConfig) -> tuple[list[ToolCall], DispatchOptions]:
        """Give the calls of the last message, and what is said about their turn."""
        message, said = last_message(state, messages_key), about(config)
        calls = calls_of(message)
        name = turn_id(message, calls, said["conversation_id"])
        return calls, {"turn_id": name, **said, "provider": "openai-chat"}

    def update(state: Any, calls: list[ToolCall], told: list[Told]) -> Any:
        """Give the answers as the state takes them."""
        messages = [answer(*pair) for pair in zip(calls, told, strict=True)]
        return messages if isinstance(state, list) else {messages_key: messages}

    def run(state: Any, config: RunnableConfig) -> Any:
        """Answer the calls, in a thread."""
        calls, said = plan(state, config)
        told = carry(threaded(dispatcher), body_of(calls), said) if calls else []
        return update(state, calls, told)

    async def run_async(state: Any, config: RunnableConfig) -> Any:
        """Answer the calls, on an event loop."""
        calls, said = plan(state, config)
        told = await carry_async(dispatcher, body_of(calls), said) if calls else []
        return update(state, calls, told)

    return RunnableLambda(run, run_async, name="tools")
