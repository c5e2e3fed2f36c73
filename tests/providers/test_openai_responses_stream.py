"""Streams of the Responses API: whatever order and shape the events come in."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.responses import ResponseFunctionCallArgumentsDeltaEvent

from tests.providers.responses_samples import (
    RESPONSES,
    assembled,
    call,
    message,
    reasoning,
    response,
    text,
)
from toolferry import ResponseMalformed
from toolferry_dispatcher.reply import Reply, ReplyKind

#: The events around the items.
START = {"type": "response.created", "response": response(status="in_progress")}
END = {"type": "response.completed", "response": response()}


def added(item: dict[str, Any], index: int | None = 0) -> dict[str, Any]:
    """An item begins."""
    return event("output_item.added", index, item=item)


def done(item: dict[str, Any], index: int | None = 0) -> dict[str, Any]:
    """An item is whole."""
    return event("output_item.done", index, item=item)


def delta(piece: str, index: int | None = 0, **more: Any) -> dict[str, Any]:
    """A piece of arguments."""
    return event("function_call_arguments.delta", index, delta=piece, **more)


def event(kind: str, index: int | None, **fields: Any) -> dict[str, Any]:
    """An event of an item; without a place when the index is None."""
    place = {} if index is None else {"output_index": index}
    return {"type": f"response.{kind}", **place, **fields}


def read(*events: Any) -> Reply:
    """Read a stream."""
    return RESPONSES.read(assembled(events))


def calls_in(*events: Any) -> list[tuple[str, str, Any]]:
    """The calls of a stream that ends well; each must be one that can be run."""
    reply = read(START, *events, END)
    assert [one.fault for one in reply.calls] == [None] * len(reply.calls)
    return [(one.call.call_id, one.call.name, one.call.arguments) for one in reply.calls]


def test_pieces_make_a_call() -> None:
    """Where nothing brings it whole."""
    begun = added(call(arguments="", id="fc_1"))

    calls = calls_in(begun, delta('{"a"', item_id="fc_1"), delta(": 1}", item_id="fc_1"))

    assert calls == [("call_1", "now", {"a": 1})]


def test_pieces_out_of_order_are_put_in_order() -> None:
    """By the numbers of their events."""
    pieces = [
        delta(": 1}", sequence_number=5),
        delta('{"a"', sequence_number=4),
    ]

    assert calls_in(added(call(arguments="")), *pieces) == [("call_1", "now", {"a": 1})]


def test_pieces_may_come_before_their_item() -> None:
    """The item takes them over."""
    late = added(call(arguments="", id="fc_1"))

    assert calls_in(delta('{"a": 1}', item_id="fc_1"), late) == [("call_1", "now", {"a": 1})]
    assert calls_in(delta('{"a": 1}'), added(call(arguments=""))) == [("call_1", "now", {"a": 1})]


def test_a_whole_text_counts_in_place_of_its_pieces() -> None:
    """So a piece that came twice, or never, does no harm."""
    whole = event("function_call_arguments.done", 0, arguments='{"a": 1}')

    for events in ([delta('{"a"'), delta('{"a"'), whole], [whole, delta('{"a"')], [whole]):
        assert calls_in(added(call(arguments="")), *events) == [("call_1", "now", {"a": 1})]


def test_a_whole_item_counts_in_place_of_its_pieces() -> None:
    """Even when its beginning was never told, and when it leaves its arguments out."""
    whole = call(arguments='{"a": 1}')

    assert calls_in(done(whole)) == [("call_1", "now", {"a": 1})]
    assert calls_in(delta("nonsense"), done(whole)) == [("call_1", "now", {"a": 1})]
    assert calls_in(added(call()), delta('{"a": 1}'), done(call(arguments=""))) == [
        ("call_1", "now", {"a": 1})
    ]
    assert calls_in(done(whole), added(call(arguments=""))) == [("call_1", "now", {"a": 1})]


def test_parallel_calls_may_come_interleaved() -> None:
    """Each piece finds its call."""
    events = [
        added(call("a", "", id="fc_a", call_id="a"), 0),
        added(call("b", "", id="fc_b", call_id="b"), 1),
        delta('{"x"', 1, item_id="fc_b"),
        delta('{"x"', 0, item_id="fc_a"),
        delta(": 2}", 1, item_id="fc_b"),
        delta(": 1}", 0, item_id="fc_a"),
    ]

    assert calls_in(*events) == [("a", "a", {"x": 1}), ("b", "b", {"x": 2})]


@pytest.mark.parametrize("index", [0, None])
@pytest.mark.parametrize("ids", [True, False])
def test_parallel_calls_may_share_a_place_or_have_none(index: int | None, ids: bool) -> None:  # noqa: FBT001 -- a row of the table
    """Some servers count nothing, and some leave the ids of items out."""
    events: list[dict[str, Any]] = []
    for name in ("a", "b"):
        own = {"id": f"fc_{name}"} if ids else {}
        events += [
            added(call(name, "", call_id=name, **own), index),
            delta(f'{{"x": "{name}"}}', index, **({"item_id": f"fc_{name}"} if ids else {})),
            done(call(name, f'{{"x": "{name}"}}', call_id=name, **own), index),
        ]

    assert calls_in(*events) == [("a", "a", {"x": "a"}), ("b", "b", {"x": "b"})]


def test_items_without_a_place_are_finished_by_their_calls() -> None:
    """In whatever order they end."""
    events = [
        added(call("a", "", call_id="a"), None),
        added(call("b", "", call_id="b"), None),
        done(call("a", '{"x": 1}', call_id="a"), None),
        done(call("b", '{"x": 2}', call_id="b"), None),
    ]

    assert calls_in(*events) == [("a", "a", {"x": 1}), ("b", "b", {"x": 2})]


def test_the_ids_of_items_may_change_on_their_way() -> None:
    """A gateway makes new ones for each event; the place tells."""
    events = [
        added(call("a", "", id="1", call_id="a"), 0),
        delta('{"x": 1}', 0, item_id="2"),
        done(call("a", '{"x": 1}', id="3", call_id="a"), 0),
    ]

    assert calls_in(*events) == [("a", "a", {"x": 1})]


def test_two_calls_under_one_call_id_are_two() -> None:
    """The second gets an id of its own."""
    events = [added(call(id="1"), 0), added(call(id="2"), 1), done(call(id="1"), 0)]

    ids = [call_id for call_id, _, _ in calls_in(*events)]

    assert len(set(ids)) == 2
    assert ids[0] == "call_1"


def test_items_stand_in_the_order_of_their_places() -> None:
    """Not in that of their events."""
    events = [done(call("b", call_id="b"), 1), done(call("a", call_id="a"), 0)]

    assert [name for _, name, _ in calls_in(*events)] == ["a", "b"]


def test_the_whole_response_at_the_end_counts() -> None:
    """Before everything that its events brought."""
    end = {"type": "response.completed", "response": response(reasoning(), call("last"))}

    body = assembled([START, done(call("first")), end])

    assert body == response(reasoning(), call("last"))


def test_words_thoughts_and_refusals_are_gathered_as_well() -> None:
    """Into their parts."""
    thoughts = {"type": "reasoning", "id": "rs_1", "summary": []}
    events = [
        added(thoughts, 0),
        event("reasoning_summary_text.delta", 0, delta="Hm", summary_index=0),
        event("reasoning_summary_text.delta", 0, delta=", two", summary_index=1),
        added(message(), 1),
        event("content_part.added", 1, content_index=0, part={"type": "output_text"}),
        event("output_text.delta", 1, delta="Hel", content_index=0),
        event("output_text.delta", 1, delta="lo", content_index=0),
        event("refusal.delta", 1, delta="No.", content_index=1),
        added({"type": "custom_tool_call", "call_id": "c", "name": "q"}, 2),
        event("custom_tool_call_input.delta", 2, delta="SELECT"),
        event("custom_tool_call_input.done", 2, input="SELECT 1"),
    ]

    body = assembled([START, *events, END])

    summary = [{"type": "summary_text", "text": words} for words in ("Hm", ", two")]
    assert body["output"] == [
        {**thoughts, "summary": summary},
        message(text("Hello"), {"type": "refusal", "refusal": "No."}),
        {"type": "custom_tool_call", "call_id": "c", "name": "q", "input": "SELECT 1"},
    ]


@pytest.mark.parametrize("events", [[], [START], [done(call())], [START, delta("{}")]])
def test_a_stream_that_just_ends_is_incomplete(events: list[Any]) -> None:
    """Nothing in it is asked for, however whole it looks."""
    reply = read(*events)

    assert (reply.kind, reply.calls, reply.finish_reason) == (ReplyKind.INCOMPLETE, (), None)


@pytest.mark.parametrize(
    ("end", "kind", "reason"),
    [
        ({"type": "response.completed"}, ReplyKind.CALLS, "completed"),
        ({"type": "response.completed", "response": START["response"]}, ReplyKind.CALLS, None),
        ({"type": "response.incomplete"}, ReplyKind.CALLS, "incomplete"),
        ({"type": "response.failed"}, ReplyKind.PROVIDER_ERROR, "failed"),
        ({"type": "error", "message": "x", "code": "oops"}, ReplyKind.PROVIDER_ERROR, "oops"),
        ({"type": "error"}, ReplyKind.PROVIDER_ERROR, None),
        ({"error": {"message": "x", "code": "oops"}}, ReplyKind.PROVIDER_ERROR, "oops"),
    ],
)
def test_every_end_says_what_the_response_is(
    end: dict[str, Any], kind: ReplyKind, reason: str | None
) -> None:
    """By its name, when it brings no response."""
    reply = read(START, done(call()), end)

    assert reply.kind is kind
    assert reason in {None, reply.finish_reason}


def test_an_error_behind_the_end_changes_nothing() -> None:
    """The response is there."""
    assert read(START, done(call()), END, {"type": "error"}).kind is ReplyKind.CALLS


def test_events_are_taken_in_every_shape() -> None:
    """As the SDK's objects, as JSON, and as the lines of the server."""
    piece = delta('{"a": 1}', item_id="fc_1", sequence_number=3)
    shapes: list[Any] = [
        ResponseFunctionCallArgumentsDeltaEvent.construct(**piece),
        piece,
        json.dumps(piece),
        f"data: {json.dumps(piece)}",
        f"event: x\ndata: {json.dumps(piece)}\n\n".encode(),
    ]

    for shape in shapes:
        noise = ["", ": ping", "data: [DONE]"]
        begun = added(call(arguments="", id="fc_1"))
        assert calls_in(*noise, begun, shape) == [("call_1", "now", {"a": 1})]


def test_events_that_nobody_knows_are_passed_over() -> None:
    """The API gets new ones all the time."""
    unknown = [{"type": "response.future"}, {"type": "keepalive"}, added(call()), event("x.y", 3)]

    assert len(calls_in(*unknown)) == 1


@pytest.mark.parametrize(
    ("chunk", "sentence"),
    [
        (7, "response: body: must be an object, a dict or JSON text, not int"),
        ([], "response: event: must be an object, not an array"),
        (
            call(),
            (
                "response: event.type: 'function_call' is an item, no event: hand in the whole"
                " response"
            ),
        ),
        ({"choices": []}, "response: event.type: is missing: this is no event of this format"),
        (
            {"type": "response.output_item.done", "item": "hi"},
            "response: event.item: must be an object, not a string",
        ),
    ],
)
def test_what_is_no_event_is_refused(chunk: object, sentence: str) -> None:
    """One clear sentence says where and what."""
    with pytest.raises(ResponseMalformed) as refused:
        RESPONSES.assembler().add(chunk)

    assert str(refused.value) == sentence
