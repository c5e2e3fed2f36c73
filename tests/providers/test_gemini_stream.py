"""Gemini streamed: texts that become one, calls that come whole, and calls that come in pieces."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from toolferry import ErrorCode, ResponseMalformed
from toolferry_dispatcher.providers import Gemini
from toolferry_dispatcher.reply import Reply, ReplyKind

GEMINI = Gemini()


def chunk(*parts: object, reason: str = "", **fields: Any) -> dict[str, Any]:
    """A chunk with these parts."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    return {
        "candidates": [{**candidate, **({"finishReason": reason} if reason else {})}],
        "responseId": "r1",
        **fields,
    }


def pieces(*partials: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A part with pieces of arguments."""
    return {"functionCall": {"partialArgs": list(partials), **fields}}


def read(*chunks: object) -> Reply:
    """Read what the chunks make."""
    assembler = GEMINI.assembler()
    for one in chunks:
        assembler.add(one)
    return GEMINI.read(assembler.body())


def test_texts_become_one_up_to_the_next_part_of_another_kind() -> None:
    """Thoughts and what is said stay apart, and so does a part with a signature."""
    reply = read(
        chunk({"text": "Let ", "thought": True}),
        chunk({"text": "me see.", "thought": True}),
        chunk({"text": "It is "}, {"text": "sun"}),
        chunk({"text": "ny."}, reason="STOP"),
        chunk({"text": "", "thoughtSignature": "c2ln"}),
    )

    assert reply.message["parts"] == [
        {"text": "Let me see.", "thought": True},
        {"text": "It is sunny."},
        {"text": "", "thoughtSignature": "c2ln"},
    ]
    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "It is sunny.")


def test_calls_of_several_chunks_are_all_there() -> None:
    """Each comes whole, the first with the signature of all."""
    first = {"functionCall": {"name": "now", "args": {"a": 1}}, "thoughtSignature": "c2ln"}
    second = {"functionCall": {"name": "now", "args": {"a": 1}}}

    reply = read(chunk(first), chunk(second), chunk(reason="STOP"))

    assert reply.message["parts"] == [first, second]
    assert len({one.call.call_id for one in reply.calls}) == 2


def test_arguments_in_pieces_become_one_object() -> None:
    """As Vertex AI sends them: a name, pieces with their places, and an end without anything."""
    reply = read(
        chunk({"functionCall": {"name": "mail", "willContinue": True}, "thoughtSignature": "c2ln"}),
        chunk(
            pieces(
                {"jsonPath": "$.to[0]", "stringValue": "An", "willContinue": True},
                willContinue=True,
            )
        ),
        chunk(pieces({"jsonPath": "$.to[0]", "stringValue": "na"}, willContinue=True)),
        chunk(
            pieces(
                {"jsonPath": "$.to[1]", "stringValue": "Bo"},
                {"jsonPath": "$.at['the hour']", "numberValue": 7},
                {"jsonPath": "$.urgent", "boolValue": False},
                {"jsonPath": "$.note", "nullValue": "NULL_VALUE"},
                willContinue=True,
            )
        ),
        chunk({"functionCall": {}}, reason="STOP"),
    )

    arguments = {"to": ["Anna", "Bo"], "at": {"the hour": 7}, "urgent": False, "note": None}
    assert [one.call.arguments for one in reply.calls] == [arguments]
    assert reply.message["parts"] == [
        {"functionCall": {"name": "mail", "args": arguments}, "thoughtSignature": "c2ln"}
    ]


def test_numbers_of_the_sdk_that_are_whole_stay_whole() -> None:
    """Its type makes 7 a 7.0, which a tool would read as another kind of number."""
    part = types.Part(
        function_call=types.FunctionCall(
            name="wait", partial_args=[types.PartialArg(json_path="$.hours", number_value=7)]
        )
    )

    reply = read(
        types.GenerateContentResponse(
            candidates=[
                types.Candidate(
                    content=types.Content(role="model", parts=[part]),
                    finish_reason=types.FinishReason.STOP,
                )
            ]
        )
    )

    assert repr(reply.calls[0].call.arguments) == "{'hours': 7}"


def test_pieces_of_parallel_calls_find_their_call_by_its_id() -> None:
    """Even where they come by turns."""
    reply = read(
        chunk({"functionCall": {"id": "a", "name": "get", "willContinue": True}}),
        chunk({"functionCall": {"id": "b", "name": "get", "willContinue": True}}),
        chunk(pieces({"jsonPath": "$.x", "stringValue": "of a"}, id="a", willContinue=True)),
        chunk(pieces({"jsonPath": "$.x", "stringValue": "of b"}, id="b")),
        chunk({"functionCall": {"id": "a"}}, reason="STOP"),
    )

    assert [(one.call.call_id, one.call.arguments) for one in reply.calls] == [
        ("a", {"x": "of a"}),
        ("b", {"x": "of b"}),
    ]


def test_a_stream_that_stops_between_pieces_is_truncated() -> None:
    """The finish reason says that it is whole; the call says that it is not."""
    reply = read(
        chunk({"functionCall": {"name": "mail", "willContinue": True}}),
        chunk(
            pieces(
                {"jsonPath": "$.to", "stringValue": "An", "willContinue": True}, willContinue=True
            ),
            reason="STOP",
        ),
    )

    assert [one.fault and one.fault.code for one in reply.calls] == [ErrorCode.TRUNCATED]


@pytest.mark.parametrize(
    "partial",
    [
        {"stringValue": "x"},
        {"jsonPath": "to", "stringValue": "x"},
        {"jsonPath": "$", "stringValue": "x"},
        {"jsonPath": "$.a..b", "stringValue": "x"},
        {"jsonPath": "$[0]", "stringValue": "x"},
        {"jsonPath": "$.a[999999]", "stringValue": "x"},
        {"jsonPath": "$" + ".a" * 65, "stringValue": "x"},
        "x",
    ],
)
def test_a_piece_that_cannot_be_placed_is_a_fault_of_its_call(partial: object) -> None:
    """Its siblings go on."""
    part = {"functionCall": {"name": "a", "partialArgs": [partial]}}

    reply = read(chunk(part, {"functionCall": {"name": "b", "args": {}}}, reason="STOP"))

    assert [one.fault is None for one in reply.calls] == [False, True]


def test_what_stands_between_chunks_is_passed_over() -> None:
    """Blank lines, comments and the end that other APIs send."""
    line = f"data: {json.dumps(chunk({'text': 'Hi'}, reason='STOP'))}"

    assert read("", ": ping", "event: message", line.encode(), "data: [DONE]").text == "Hi"


def test_of_several_candidates_the_first_is_read() -> None:
    """The others have another index."""
    two = chunk({"text": "one"}, reason="STOP")
    two["candidates"].append({"index": 1, "content": {"parts": [{"text": "two"}]}})

    assert read(two).text == "one"


def test_a_prompt_that_is_blocked_is_refused_in_a_stream_too() -> None:
    """There is no candidate then."""
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {}}

    assert read(blocked).kind is ReplyKind.REFUSED


def test_an_error_in_the_middle_runs_nothing() -> None:
    """What was asked for may be asked for again."""
    reply = read(
        chunk({"functionCall": {"name": "pay", "args": {}}}),
        {"error": {"code": 500, "message": "Internal error.", "status": "INTERNAL"}},
    )

    assert (reply.kind, reply.calls, reply.text) == (
        ReplyKind.PROVIDER_ERROR,
        (),
        "Internal error.",
    )


def test_a_stream_of_nothing_is_incomplete() -> None:
    """The connection was lost before the first word."""
    assert read().kind is ReplyKind.INCOMPLETE


def test_a_body_does_not_change_when_more_comes() -> None:
    """An application may look at what there is so far."""
    assembler = GEMINI.assembler()
    assembler.add(chunk({"functionCall": {"name": "mail", "willContinue": True}}))
    assembler.add(chunk(pieces({"jsonPath": "$.a", "boolValue": True}, willContinue=True)))
    body = assembler.body()
    before = json.dumps(body)

    assembler.add(chunk(pieces({"jsonPath": "$.b", "boolValue": True}), {"text": "Hi"}))

    assert json.dumps(body) == before


@pytest.mark.parametrize("index", [1, "0", [], {}])
def test_a_candidate_of_any_other_index_is_passed_over(index: object) -> None:
    """Also where the index is none."""
    other = {"index": index, "content": {"parts": [{"text": "no"}]}}

    assert read(chunk({"text": "yes"}, reason="STOP"), {"candidates": [other]}).text == "yes"


@pytest.mark.parametrize("wrong", [[1], {"choices": []}, "data: 1", "hello", {"candidates": [1]}])
def test_what_is_no_chunk_is_refused(wrong: object) -> None:
    """Instead of passing over what may have been a call."""
    with pytest.raises(ResponseMalformed):
        GEMINI.assembler().add(wrong)


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=30), st.lists(st.integers(1, 29), max_size=4))
def test_a_text_comes_out_however_it_is_cut(text: str, cuts: list[int]) -> None:
    """Arguments and words alike."""
    bounds = [0, *sorted(cuts), len(text)]
    cut = [text[a:b] for a, b in itertools.pairwise(bounds)]
    said = [chunk({"text": one}) for one in cut]
    partials = [
        {"jsonPath": "$.text", "stringValue": one, "willContinue": at < len(cut) - 1}
        for at, one in enumerate(cut)
    ]
    asked = [chunk(pieces(one, name="say", willContinue=True)) for one in partials]

    reply = read(*said, *asked, chunk({"functionCall": {}}, reason="STOP"))

    assert reply.calls[0].call.arguments == {"text": text}
    assert reply.text == (text if text.strip() else "")
