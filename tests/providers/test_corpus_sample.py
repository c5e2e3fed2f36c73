"""Real responses of many servers and real turns of benchmarks are read as they were meant."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.providers.corpus import SAMPLE, Corpus, Row
from tests.providers.wire_types import require_messages, require_tools
from toolferry import Fault, Registry, ToolCall
from toolferry_dispatcher.providers import OpenAIChat, Plain, Told, find_name
from toolferry_dispatcher.reply import Reply, ReplyKind

CHAT = OpenAIChat()
CORPUS = Corpus()
by_response = pytest.mark.parametrize("row", CORPUS.responses, ids=lambda row: row.name)
by_turn = pytest.mark.parametrize("row", CORPUS.turns, ids=lambda row: row.name)


def calls_of(reply: Reply) -> tuple[ToolCall, ...]:
    """The calls of a reply, none of which may have a fault."""
    assert all(read.fault is None for read in reply.calls)
    return tuple(read.call for read in reply.calls)


def faults_of(call: ToolCall, registry: Registry) -> tuple[Fault, ...]:
    """What the call's tool finds wrong with its arguments."""
    tool = registry.get(call.name)
    assert tool is not None
    return tool.validator.faults(call.arguments)


def as_chat(calls: Sequence[ToolCall]) -> dict[str, object]:
    """Write calls as the response of a model that was shown the tools under their wire names."""
    items = [
        {
            "id": call.call_id,
            "type": "function",
            "function": {
                "name": CHAT.wire_name(call.name),
                "arguments": json.dumps(call.arguments),
            },
        }
        for call in calls
    ]
    message = {"role": "assistant", "content": None, "tool_calls": items}
    return {"id": "r1", "choices": [{"finish_reason": "tool_calls", "message": message}]}


@by_response
def test_a_recorded_response_is_read_whole(row: Row) -> None:
    """Every call under its id, in order, with its name and its arguments."""
    reply = CHAT.read(row.response)

    assert reply.kind is ReplyKind.CALLS
    assert calls_of(reply) == row.calls


@by_response
def test_a_recorded_response_goes_back_as_the_api_takes_it(row: Row) -> None:
    """With every call to the letter, arguments if there were none, and its result behind it."""
    assert isinstance(row.response, dict)
    received = row.response["choices"][0]["message"]
    reply = CHAT.read(row.response)

    messages = CHAT.results(
        reply.message, [Told(call.call_id, call.name, "done") for call in row.calls]
    )

    require_messages(messages)
    echoes = messages[0]["tool_calls"]
    assert [echo["function"] for echo in echoes] == [
        {"arguments": "{}", **call["function"]} for call in received["tool_calls"]
    ]
    assert messages[0].get("content") == received.get("content")


@by_response
def test_the_calls_of_a_recorded_response_fit_their_tools(row: Row) -> None:
    """The recorded tools would have run."""
    registry = CORPUS.registry_of(row)

    for call in calls_of(CHAT.read(row.response)):
        assert faults_of(call, registry) == ()


@by_turn
def test_a_turn_is_read_as_plain_calls(row: Row) -> None:
    """What goes in comes out."""
    reply = Plain().read(row.response)

    assert reply.kind is ReplyKind.CALLS
    assert calls_of(reply) == row.calls


@by_turn
def test_a_turn_is_read_as_a_response_with_wire_names(row: Row) -> None:
    """Each call finds its tool, though half of the real names are not legal on the wire."""
    registry = CORPUS.registry_of(row)

    read = calls_of(CHAT.read(as_chat(row.calls)))

    names = [find_name(call.name, registry.names(), CHAT.wire_name) for call in read]
    assert names == [call.name for call in row.calls]
    assert [call.arguments for call in read] == [call.arguments for call in row.calls]


@by_turn
def test_a_turn_fits_its_tools_unless_it_was_published_broken(row: Row) -> None:
    """A few published answers break their own schemas, and are caught."""
    registry = CORPUS.registry_of(row)

    faults = [faults_of(call, registry) for call in row.calls]

    assert row.valid is not any(faults)


def test_the_tools_of_the_sample_are_described_as_the_api_wants_them() -> None:
    """Under names that tell them apart."""
    registry = CORPUS.registry()

    tools = CHAT.tools(registry.visible())

    require_tools(tools)
    assert len({tool["function"]["name"] for tool in tools}) == len(registry.names())


def test_the_sample_brings_the_licence_of_every_row() -> None:
    """Each row says where it comes from; the texts of the licences lie beside it."""
    texts = {path.stem for path in (SAMPLE / "licences").glob("*.txt")}

    for path in SAMPLE.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            source = json.loads(line)["source"]
            corpus = {"wire": "pydantic-ai"}.get(source["corpus"], source["corpus"])
            assert source["licence"] in texts or f"{corpus}.{source['licence']}" in texts
