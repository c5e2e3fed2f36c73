"""Cohere streamed: a plan, calls in pieces, blocks of content, and an end with its reason."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from cohere.core.unchecked_base_model import construct_type
from cohere.v2.types import V2ChatStreamResponse

from tests.providers.cohere_types import require_messages
from toolferry import ErrorCode, ResponseMalformed
from toolferry_dispatcher.providers import Cohere, Told, detect
from toolferry_dispatcher.reply import Reply, ReplyKind

COHERE = Cohere()


def event(kind: str, index: int | None = None, **message: Any) -> dict[str, Any]:
    """An event that adds this to the message."""
    at = {} if index is None else {"index": index}
    return {"type": kind, **at, "delta": {"message": message}}


def begin(index: int | None, call_id: str, name: str, arguments: str = "") -> dict[str, Any]:
    """The event that opens a call."""
    function = {"name": name, "arguments": arguments}
    call = {"id": call_id, "type": "function", "function": function}
    return event("tool-call-start", index, tool_calls=call)


def go_on(index: int | None, arguments: str) -> dict[str, Any]:
    """The event that continues the arguments of a call."""
    return event("tool-call-delta", index, tool_calls={"function": {"arguments": arguments}})


def end(reason: str = "TOOL_CALL", **delta: Any) -> dict[str, Any]:
    """The event that ends a response."""
    return {"type": "message-end", "delta": {"finish_reason": reason, **delta}}


START = {"type": "message-start", "id": "r1", "delta": {"message": {"role": "assistant"}}}
CALLS = [
    START,
    event("tool-plan-delta", tool_plan="I will "),
    event("tool-plan-delta", tool_plan="look."),
    begin(0, "a", "weather"),
    go_on(0, '{"city": '),
    go_on(0, '"Oslo"}'),
    {"type": "tool-call-end", "index": 0},
    begin(1, "b", "weather", '{"city": "Lima"'),
    go_on(1, "}"),
    {"type": "tool-call-end", "index": 1},
    end(usage={"tokens": {"output_tokens": 7}}),
]
TEXT = [
    START,
    event("content-start", 0, content={"type": "thinking", "thinking": ""}),
    event("content-delta", 0, content={"thinking": "Hm."}),
    {"type": "content-end", "index": 0},
    event("content-start", 1, content={"type": "text", "text": "It is "}),
    event("content-delta", 1, content={"text": "sunny."}),
    event("citation-start", 0, citations={"start": 0, "end": 2, "text": "It"}),
    {"type": "citation-end", "index": 0},
    end("COMPLETE"),
]


def read(*events: object) -> Reply:
    """Read what the events make."""
    assembler = COHERE.assembler()
    for one in events:
        assembler.add(one)
    return COHERE.read(assembler.body())


def as_lines(event: dict[str, Any]) -> str:
    """An event as the server sends it."""
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


def as_sdk(event: dict[str, Any]) -> Any:
    """An event as the SDK gives it."""
    return construct_type(type_=cast("Any", V2ChatStreamResponse), object_=event)


@pytest.mark.parametrize("form", [dict, as_lines, as_sdk, json.dumps])
def test_calls_are_put_together(form: Any) -> None:
    """From objects, lines, objects of the SDK, and text."""
    reply = read(*map(form, CALLS))

    assert (reply.kind, reply.text) == (ReplyKind.CALLS, "I will look.")
    assert [(one.call.call_id, one.call.arguments) for one in reply.calls] == [
        ("a", {"city": "Oslo"}),
        ("b", {"city": "Lima"}),
    ]
    require_messages(
        COHERE.results(reply.message, [Told("a", "weather", "x"), Told("b", "weather", "y")])
    )


@pytest.mark.parametrize("events", [CALLS, TEXT])
def test_the_format_of_a_stream_is_told(events: list[dict[str, Any]]) -> None:
    """By its events, as objects and as lines."""
    assert detect(events).name == "cohere-v2"
    assert detect("".join(map(as_lines, events))).name == "cohere-v2"


@pytest.mark.parametrize("form", [dict, as_sdk])
def test_blocks_and_citations_are_put_together(form: Any) -> None:
    """In their order; thoughts are not said."""
    reply = read(*map(form, TEXT))

    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "It is sunny.")
    assert reply.message["content"] == [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "It is sunny."},
    ]
    assert reply.message["citations"] == [{"start": 0, "end": 2, "text": "It"}]


@pytest.mark.parametrize("index", [0, None])
def test_calls_under_one_index_or_none_stay_apart(index: int | None) -> None:
    """A start opens a call; what follows belongs to it."""
    reply = read(
        begin(index, "a", "now"),
        go_on(index, '{"x": 1}'),
        begin(index, "b", "now"),
        go_on(index, '{"x": 2}'),
        end(),
    )

    assert [one.call.arguments for one in reply.calls] == [{"x": 1}, {"x": 2}]


@pytest.mark.parametrize("events", [CALLS, TEXT])
def test_a_stream_that_just_ends_runs_nothing(events: list[dict[str, Any]]) -> None:
    """Without its last event nobody knows whether more was to come."""
    reply = read(*events[:-1])

    assert (reply.kind, reply.calls, reply.finish_reason) == (ReplyKind.INCOMPLETE, (), None)


def test_a_stream_that_hits_the_limit_inside_of_a_call_is_incomplete() -> None:
    """The half call is truncated."""
    reply = read(begin(0, "a", "now"), go_on(0, '{"x": '), end("MAX_TOKENS"))

    assert reply.kind is ReplyKind.INCOMPLETE
    assert [one.fault and one.fault.code for one in reply.calls] == [ErrorCode.TRUNCATED]


def test_an_error_at_the_end_is_the_provider_s_word() -> None:
    """What was asked for may be asked for again."""
    reply = read(*CALLS[:-1], end("ERROR", error="out of capacity"))

    assert (reply.kind, reply.calls) == (ReplyKind.PROVIDER_ERROR, ())
    assert reply.text == "out of capacity"


@pytest.mark.parametrize("wrong", [[1], {"delta": {}}, "data: 1", "hello", {"type": 1}])
def test_what_is_no_event_is_refused(wrong: object) -> None:
    """Instead of passing over what may have been a call."""
    with pytest.raises(ResponseMalformed):
        COHERE.assembler().add(wrong)


def test_an_event_that_is_not_known_is_passed_over() -> None:
    """The API adds new ones."""
    assert read(START, {"type": "weather-start"}, *TEXT[1:]).text == "It is sunny."
