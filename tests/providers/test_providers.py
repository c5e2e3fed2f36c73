"""The providers that a process knows, and plain calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from toolferry import ConfigurationError, ResponseMalformed, Tool, ToolCall
from toolferry_dispatcher.providers import (
    OpenAIChat,
    Plain,
    Told,
    forget_provider,
    provider,
    register_provider,
)
from toolferry_dispatcher.reply import ReplyKind

PLAIN = Plain()
#: More calls than are taken.
CALLS: list[dict[str, Any]] = [{}] * 1001


@pytest.fixture
def alias() -> Iterator[str]:
    """Give an alias that is taken back after the test."""
    yield "my-gateway"
    forget_provider("my-gateway")


@pytest.mark.parametrize(
    "name",
    [
        "openai-chat",
        "openai-responses",
        "anthropic",
        "bedrock-converse",
        "gemini",
        "gemini-2",
        "cohere-v2",
        "plain",
    ],
)
def test_a_provider_is_found_by_its_name(name: str) -> None:
    """Those that come with the project are known from the start."""
    assert provider(name).name == name


def test_an_unknown_provider_is_refused_with_the_known_ones() -> None:
    """A typing error is found at start, with its remedy, the nearest first."""
    with pytest.raises(ConfigurationError) as refused:
        provider("open-ai")

    assert str(refused.value).startswith(
        "provider: 'open-ai' is not known, did you mean openai-chat"
    )
    assert "the known ones are " in str(refused.value)


def test_an_alias_stands_for_its_provider(alias: str) -> None:
    """A gateway that speaks a known format needs a name only."""
    register_provider(provider("openai-chat"), alias)

    assert provider(alias) is provider("openai-chat")


def test_a_name_that_is_taken_is_refused() -> None:
    """Nobody can slip another format under a known name."""
    with pytest.raises(ConfigurationError, match="'openai-chat' is taken by another provider"):
        register_provider(OpenAIChat())


@pytest.mark.parametrize(
    "response",
    [
        ToolCall("a", "now", {"zone": "UTC"}),
        [ToolCall("a", "now", {"zone": "UTC"})],
        iter([ToolCall("a", "now", {"zone": "UTC"})]),
        {"call_id": "a", "name": "now", "arguments": {"zone": "UTC"}},
        '[{"call_id": "a", "name": "now", "arguments": {"zone": "UTC"}}]',
    ],
    ids=["one", "list", "iterator", "dict", "text"],
)
def test_plain_calls_are_taken_in_every_shape(response: object) -> None:
    """As objects, as JSON data, or as JSON text."""
    reply = PLAIN.read(response)

    assert reply.kind is ReplyKind.CALLS
    assert [read.call for read in reply.calls] == [ToolCall("a", "now", {"zone": "UTC"})]
    assert reply.message == {}


def test_plain_calls_without_ids_get_ids() -> None:
    """So do those whose id was there before."""
    reply = PLAIN.read([ToolCall("a", "now"), ToolCall("a", "now"), {"name": "now"}])

    assert reply.calls[0].call.call_id == "a"
    assert len({read.call.call_id for read in reply.calls}) == 3


def test_a_plain_call_that_cannot_be_read_leaves_its_siblings_alone() -> None:
    """It gets a fault, as on every wire."""
    good, bad = PLAIN.read([ToolCall("a", "now"), ToolCall("b", "now", {"x": float("nan")})]).calls

    assert good.fault is None
    assert bad.fault is not None
    assert bad.call.arguments == {}


def test_no_plain_call_at_all_is_degenerate() -> None:
    """There is nothing to run and nothing was said."""
    assert PLAIN.read([]).kind is ReplyKind.DEGENERATE


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        (7, "response: body: must be ToolCalls, not int"),
        ([7], "response: [0]: must be a call, not a number"),
        ([ToolCall("a", "now"), {}], "response: [1].name: must be a string, not null"),
        ("7", "response: body: must be a call, not a number"),
    ],
)
def test_what_is_no_plain_call_is_refused_by_its_place(response: object, sentence: str) -> None:
    """One clear sentence says where and what."""
    with pytest.raises(ResponseMalformed) as refused:
        PLAIN.read(response)

    assert str(refused.value) == sentence


def test_plain_results_are_tool_messages_alone() -> None:
    """There is no message of the model that they could follow."""
    reply = PLAIN.read(ToolCall("a", "now"))

    assert PLAIN.results(reply.message, [Told("a", "clock", "noon")]) == [
        {"role": "tool", "tool_call_id": "a", "content": "noon"}
    ]


def test_plain_tools_keep_their_names_and_schemas() -> None:
    """There is no wire that could refuse them."""
    tool = Tool(name="calendar.add", description="Add.", parameters={"type": "object"})

    assert PLAIN.wire_name("calendar.add") == "calendar.add"
    assert json.dumps(PLAIN.tools([tool])) == (
        '[{"name": "calendar.add", "description": "Add.", "parameters": {"type": "object"}}]'
    )


@pytest.mark.parametrize(
    ("name", "response"),
    [
        ("openai-chat", {"choices": [{"message": {"role": "assistant", "tool_calls": CALLS}}]}),
        ("cohere-v2", {"message": {"role": "assistant", "tool_calls": CALLS}}),
        ("openai-responses", {"output": [{"type": "function_call"}] * 1001}),
        ("anthropic", {"role": "assistant", "content": [{"type": "tool_use"}] * 1001}),
        ("bedrock-converse", {"output": {"message": {"content": [{"toolUse": {}}] * 1001}}}),
        ("gemini", {"candidates": [{"content": {"parts": [{"functionCall": {}}] * 1001}}]}),
    ],
)
def test_a_response_of_too_many_calls_is_refused(name: str, response: dict[str, Any]) -> None:
    """It is a model gone wild: nothing of it runs, and the sentence says so."""
    with pytest.raises(ResponseMalformed, match="asks for 1001 calls at once; 1000 are taken"):
        provider(name).read(response)
