"""Recorded responses of the Messages API, and its cases from public bug reports."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anthropic import BaseModel
from anthropic.types.beta import (
    BetaMessage,
    BetaRawContentBlockDeltaEvent,
    BetaRawContentBlockStartEvent,
    BetaRawContentBlockStopEvent,
    BetaRawMessageDeltaEvent,
    BetaRawMessageStartEvent,
    BetaRawMessageStopEvent,
)

from tests.providers.messages_types import require_messages
from tests.providers.recorded import Recorded, calls_of, recorded, told_of
from toolferry_dispatcher.providers import Anthropic, Told, find_name
from toolferry_dispatcher.reply import ReplyKind

ANTHROPIC = Anthropic()
ROWS = recorded("anthropic")
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
by_stream = pytest.mark.parametrize(
    "row", [row for row in ROWS if row.is_stream], ids=lambda row: row.name
)
CASES = {
    path.stem[:2]: json.loads(path.read_text(encoding="utf-8"))
    for path in (Path(__file__).parents[1] / "data" / "cases" / "anthropic").glob("*.json")
}
EVENTS: dict[str, type[BaseModel]] = {
    "message_start": BetaRawMessageStartEvent,
    "content_block_start": BetaRawContentBlockStartEvent,
    "content_block_delta": BetaRawContentBlockDeltaEvent,
    "content_block_stop": BetaRawContentBlockStopEvent,
    "message_delta": BetaRawMessageDeltaEvent,
    "message_stop": BetaRawMessageStopEvent,
}
#: Shapes in which an application may hold an event.
SHAPES: dict[str, Callable[[dict[str, Any]], object]] = {
    "dict": lambda event: event,
    "json": json.dumps,
    "line": lambda event: f"data: {json.dumps(event)}",
    "event": lambda event: f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode(),
}


def as_sdk_object(event: dict[str, Any]) -> object:
    """Make what the official client makes of an event; it does not show its users a ping."""
    kind = EVENTS.get(event["type"])
    return event if kind is None else kind.construct(**event)


@by_row
def test_a_recorded_message_is_read_whole(row: Recorded) -> None:
    """Every call under its id, in order, with its arguments; nothing that the server has run."""
    reply = ANTHROPIC.read(row.whole(ANTHROPIC))

    assert calls_of(reply) == row.calls
    assert reply.kind is (ReplyKind.CALLS if row.calls else ReplyKind.FINAL)
    assert reply.finish_reason == row.finish_reason


@by_row
def test_a_recorded_message_goes_back_as_it_came_and_is_taken(row: Recorded) -> None:
    """With thoughts, signatures, callers and all that the server has run, each in its place."""
    body = row.whole(ANTHROPIC)
    reply = ANTHROPIC.read(body)

    messages = ANTHROPIC.results(reply.message, told_of(reply))

    require_messages(messages)
    assert messages[0] == {"role": "assistant", "content": body["content"]}
    kinds = [block["type"] for block in messages[0]["content"]]
    own = {"text", "thinking", "redacted_thinking", "tool_use"}
    assert [kind for kind in kinds if kind not in own] == list(row.server_side)


@by_row
def test_the_sdk_s_own_object_is_read_like_the_body(row: Recorded) -> None:
    """What the client gives an application goes in as it is."""
    body = row.whole(ANTHROPIC)

    message = BetaMessage.construct(**body)

    assert ANTHROPIC.read(message) == ANTHROPIC.read(body)


@by_stream
@pytest.mark.parametrize("write", [*SHAPES.values(), as_sdk_object], ids=[*SHAPES, "sdk"])
def test_a_recorded_stream_is_put_together_from_every_shape(
    row: Recorded, write: Callable[[dict[str, Any]], object]
) -> None:
    """Objects of the client, dicts, JSON text, and lines of the event stream."""
    assembler = ANTHROPIC.assembler()

    for event in row.body:
        assembler.add(write(event))

    assert ANTHROPIC.read(assembler.body()) == ANTHROPIC.read(row.whole(ANTHROPIC))


@by_stream
def test_a_recorded_stream_that_just_ends_is_incomplete_wherever_it_ends(row: Recorded) -> None:
    """Nothing runs, and what had come is still a message that the API takes."""
    assembler = ANTHROPIC.assembler()
    end = next(at for at, event in enumerate(row.body) if event["type"] == "message_delta")

    for event in row.body[:end]:
        assembler.add(event)
        reply = ANTHROPIC.read(assembler.body())
        assert reply.kind is ReplyKind.INCOMPLETE
        assert reply.calls == ()
        if reply.message:
            require_messages([reply.message])


def test_an_invented_name_leaves_its_siblings_alone() -> None:
    """Case 11: three calls, three answers, in order."""
    case = CASES["11"]

    reply = ANTHROPIC.read(case["response"])

    names = [tool["name"] for tool in case["tools"]]
    found = [find_name(call.name, names) for call in calls_of(reply)]
    assert found == ["get_status", None, "move_card"]
    messages = ANTHROPIC.results(reply.message, told_of(reply))
    require_messages(messages)
    assert len(messages[1]["content"]) == case["expect"]["results"]


def test_what_the_server_has_run_is_neither_run_nor_answered() -> None:
    """Case 14: a tool of the application has the name of one of the server's."""
    case = CASES["14"]
    [expected] = case["expect"]["calls"]

    reply = ANTHROPIC.read(json.dumps(case["response"]))

    [call] = calls_of(reply)
    assert (call.call_id, call.name, call.arguments) == (
        expected["call_id"],
        expected["name"],
        expected["arguments"],
    )
    message, answer = ANTHROPIC.results(reply.message, told_of(reply))
    assert message["content"] == case["response"]["content"]
    assert [block["tool_use_id"] for block in answer["content"]] == ["toolu_9"]


def test_the_results_of_a_turn_are_one_message_in_call_order() -> None:
    """Case 30: five blocks, failures marked, nothing before them."""
    expect = CASES["30"]["expect"]
    calls = [
        {"type": "tool_use", "id": f"toolu_{at}", "name": "get_status", "input": {}}
        for at in range(expect["results"])
    ]
    told = [
        Told(f"toolu_{at}", "get_status", "done", is_error=failed)
        for at, failed in enumerate(expect["is_error"])
    ]
    reply = ANTHROPIC.read({"role": "assistant", "content": calls, "stop_reason": "tool_use"})

    messages = ANTHROPIC.results(reply.message, told)

    require_messages(messages)
    assert [one.get("is_error", False) for one in messages[1]["content"]] == expect["is_error"]
    assert {one["type"] for one in messages[1]["content"]} == {"tool_result"}


def test_the_sample_has_all_rows_and_their_licence() -> None:
    """45 bodies and 6 streams, whose licence lies beside them."""
    assert len(ROWS) == 51
    assert sum(row.is_stream for row in ROWS) == 6
    assert {row.licence for row in ROWS} == {"MIT"}
