"""LangChain tools and a LangGraph node whose calls run on workers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call
from langchain_core.runnables import RunnableConfig
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from toolferry import ConfigurationError, Context
from toolferry_dispatcher import AsyncDispatcher, Dispatcher, DispatchOptions
from toolferry_dispatcher.neighbours.langchain import toolferry_tools
from toolferry_dispatcher.neighbours.langgraph import toolferry_node

WEATHER = "weather_get_b8affdae8c"
ANN = Context(principal="ann")


def asks(*calls: tuple[str, Any], message_id: str | None = None) -> AIMessage:
    """Give a message of a model that makes calls."""
    made = [tool_call(name=name, args=args, id=f"c{at}") for at, (name, args) in enumerate(calls)]
    return AIMessage("", tool_calls=made, id=message_id)


def content(message: AnyMessage) -> Any:
    """Give what a tool that succeeded has told."""
    told = json.loads(message.text)
    assert told["ok"]
    return told["content"]


@dataclass
class Talk:
    """A state that is no dictionary."""

    said: list[AnyMessage] = field(default_factory=list)


async def test_a_graph_has_all_calls_of_a_message_made_in_one_turn(
    dispatcher: AsyncDispatcher,
) -> None:
    """Each is answered under its id and name, in order, a failure with its status."""
    calls = [(WEATHER, {"city": "Oslo"}), ("who", {}), ("explain", {}), ("pay", {"amount": 5})]
    model = GenericFakeChatModel(messages=iter([asks(*calls), AIMessage("Done.")]))
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", toolferry_node(dispatcher, context=ANN))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition, {"tools": "tools", END: END})
    graph.add_edge("tools", "model")

    done = await graph.compile().ainvoke({"messages": [HumanMessage("Go.")]})

    _, asked, *answers, end = done["messages"]
    assert [one.tool_call_id for one in answers] == [one["id"] for one in asked.tool_calls]
    assert [one.name for one in answers] == [WEATHER, "who", "explain", "pay"]
    assert [one.status for one in answers] == ["success", "success", "error", "error"]
    assert content(answers[0]) == "Oslo: metric"
    assert content(answers[1]).items() >= {"principal": "ann", "place": "1"}.items()
    assert json.loads(answers[3].text)["error_code"] == "denied"
    assert end.text == "Done."


def test_coming_to_the_node_again_makes_no_call_again(threaded: Dispatcher) -> None:
    """The same message of the same thread is the same turn; what a person changed is another."""
    node, thread = toolferry_node(threaded), RunnableConfig(configurable={"thread_id": "t1"})
    other = RunnableConfig(configurable={"thread_id": "t2"})
    message, changed = asks(("who", {}), message_id="m1"), asks(("who", {}), message_id="m1")
    changed.tool_calls[0]["args"] = {"why": "A person said so."}

    [first] = node.invoke([message], thread)
    [again] = node.invoke([message], thread)
    [elsewhere] = node.invoke([message], other)
    [mended] = node.invoke([changed], thread)
    nameless = [content(node.invoke([asks(("who", {}))], thread)[0])["turn"] for _ in range(2)]

    assert content(first)["turn"] == content(again)["turn"]
    assert content(first)["turn"] != content(elsewhere)["turn"]
    assert mended.status == "error"
    assert nameless[0] != nameless[1]


def test_a_call_that_langchain_could_not_read_is_answered(threaded: Dispatcher) -> None:
    """Behind those that it could read: what can be mended runs, what was cut off does not."""
    message = asks(("who", {}))
    message.invalid_tool_calls = [
        invalid_tool_call(name=WEATHER, args='```json\n{"city": "Oslo"}\n```', id="x", error="bad"),
        invalid_tool_call(name=WEATHER, args='{"city": "Os', id="y", error="bad"),
    ]

    _, mended, cut_off = toolferry_node(threaded).invoke([message])

    assert (mended.tool_call_id, content(mended)) == ("x", "Oslo: metric")
    assert json.loads(cut_off.text)["error_code"] == "truncated"


def test_the_node_takes_any_kind_of_state(threaded: Dispatcher) -> None:
    """A list, a dictionary, an object; a message without calls needs no server."""
    node = toolferry_node(threaded, messages_key="said", context=ANN)
    asked = asks(("who", {}))

    assert len(node.invoke([HumanMessage("Go."), asked])) == 1
    assert len(node.invoke({"said": [asked]})["said"]) == 1
    assert len(node.invoke(Talk([asked]))["said"]) == 1
    assert node.invoke({"said": [AIMessage("Done.")]}) == {"said": []}
    with pytest.raises(ConfigurationError, match="no AIMessage under 'said'"):
        node.invoke({"messages": [asked]})


def test_tools_are_told_to_models_as_they_are(threaded: Dispatcher) -> None:
    """By a name that every provider takes, with the schema of the tool; not the dangerous ones."""
    tools = {tool.name: tool for tool in toolferry_tools(threaded)}

    told = convert_to_openai_tool(tools[WEATHER])["function"]

    assert told["description"] == "Tell the weather of a city."
    assert told["parameters"]["required"] == ["city"]
    assert tools[WEATHER].args.keys() == {"city", "config"}
    assert tools["who"].args == {}
    assert "launch" not in tools


async def test_tools_run_in_a_node_of_langgraph(dispatcher: AsyncDispatcher) -> None:
    """One turn a call; parameters may be called as LangChain's own."""
    node = ToolNode(toolferry_tools(dispatcher, context=ANN))
    graph = StateGraph(MessagesState).add_node("tools", node).add_edge(START, "tools").compile()
    asked = asks((WEATHER, {"city": "Oslo", "config": "mine"}), ("who", {}), ("explain", {}))

    done = await graph.ainvoke({"messages": [asked]})

    _, weather, who, failed = done["messages"]
    assert content(weather) == "Oslo: mine"
    assert content(who).items() >= {"principal": "ann", "call_id": "c1", "place": "0"}.items()
    assert (failed.status, failed.tool_call_id) == ("error", "c2")


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        (WEATHER, {"town": "Oslo"}, "schema"),
        ("pay", {"amount": 5}, "denied"),
        ("explain", {}, "no_such_city"),
        ("sleepy", {}, "timeout"),
    ],
)
def test_a_failure_is_a_message_with_its_status(
    threaded: Dispatcher, name: str, given: dict[str, Any], code: str
) -> None:
    """Bad arguments, a denied call, a failed one, one that took too long."""
    tools = {tool.name: tool for tool in toolferry_tools(threaded)}

    answer = tools[name].invoke(tool_call(name=name, args=given, id="c0"))

    assert isinstance(answer, ToolMessage)
    assert answer.status == "error"
    assert json.loads(answer.text)["error_code"] == code


def test_a_picture_goes_beside_the_text(threaded: Dispatcher) -> None:
    """As a block of the message, from a tool and from the node."""
    tools = {tool.name: tool for tool in toolferry_tools(threaded)}

    by_tool = tools["draw"].invoke(tool_call(name="draw", args={}, id="c0"))
    [by_node] = toolferry_node(threaded).invoke([asks(("draw", {}))])

    text, picture = by_tool.content_blocks
    assert by_node.content_blocks == [text, picture]
    assert "[medium 1: image/png, 8 bytes]" in text["text"]
    assert (picture["type"], picture["mime_type"]) == ("image", "image/png")


async def test_each_run_says_on_whose_behalf_it_calls(threaded: Dispatcher) -> None:
    """What `options_of` says of a run wins; threads serve an event loop, too."""

    def options_of(config: RunnableConfig) -> DispatchOptions:
        """Take the principal from the run's configuration."""
        return {"context": Context(principal=config["configurable"]["user"])}

    run = RunnableConfig(configurable={"user": "bob", "thread_id": "t9"})
    [tool] = toolferry_tools(threaded, visible={"who"}, options_of=options_of, context=ANN)
    node = toolferry_node(threaded, options_of=options_of, context=ANN)

    by_tool = await tool.ainvoke(tool_call(name="who", args={}, id="c0"), run)
    [by_node] = await node.ainvoke([asks(("who", {}))], run)

    assert content(by_tool)["principal"] == "bob"
    assert content(by_node)["principal"] == "bob"


async def test_tools_for_event_loops_say_so_to_threads(dispatcher: AsyncDispatcher) -> None:
    """With what to do."""
    [tool] = toolferry_tools(dispatcher, visible={"who"})

    with pytest.raises(NotImplementedError, match="use ainvoke"):
        tool.invoke(tool_call(name="who", args={}, id="c0"))
    with pytest.raises(NotImplementedError, match="use ainvoke"):
        toolferry_node(dispatcher).invoke([asks(("who", {}))])
