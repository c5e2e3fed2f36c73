"""Gemini in: parts, calls with and without ids, and what is no response."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from google.genai import types
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.gemini_samples import call, response
from tests.providers.gemini_types import require_contents
from toolferry import ErrorCode, ResponseMalformed
from toolferry_dispatcher.providers import Gemini, Told
from toolferry_dispatcher.reply import Reply, ReplyKind

GEMINI = Gemini()
CASE = json.loads(
    (Path(__file__).parents[1] / "data" / "cases" / "09-gemini-no-ids.json").read_text()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
#: Parts with every field right, wrong or missing.
PARTS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {},
        optional={
            "text": st.just("Hi") | JSON,
            "thought": JSON,
            "functionCall": JSON
            | st.fixed_dictionaries(
                {},
                optional={
                    "id": st.sampled_from(["a", "b", ""]) | JSON,
                    "name": st.sampled_from(["now", "no good"]) | JSON,
                    "args": st.dictionaries(st.text(), JSON, max_size=2) | JSON,
                    "partialArgs": st.lists(
                        st.fixed_dictionaries(
                            {"jsonPath": st.sampled_from(["$.a", "$.a[0]", "$['b']"]) | JSON},
                            optional={"stringValue": JSON, "numberValue": JSON, "nullValue": JSON},
                        )
                    )
                    | JSON,
                    "willContinue": st.booleans() | JSON,
                },
            ),
        },
    ),
    max_size=5,
)


def ids(reply: Reply) -> list[str]:
    """The ids of a reply's calls."""
    return [one.call.call_id for one in reply.calls]


def follow_up(reply: Reply) -> list[dict[str, Any]]:
    """What follows a reply."""
    return GEMINI.results(
        reply.message, [Told(one.call.call_id, one.call.name, "done") for one in reply.calls]
    )


def test_calls_without_ids_are_told_apart_and_answered_in_order() -> None:
    """Case 09: ids that are the same when read again, one turn of results, the signature kept."""
    reply, again = GEMINI.read(CASE["response"]), GEMINI.read(json.dumps(CASE["response"]))

    messages = GEMINI.results(
        reply.message,
        [Told(one.call.call_id, one.call.name, one.call.arguments["city"]) for one in reply.calls],
    )

    assert reply.kind == CASE["expect"]["turn"]
    assert [one.call.arguments for one in reply.calls] == [
        one["arguments"] for one in CASE["expect"]["calls"]
    ]
    assert ids(reply) == ids(again)
    assert len(set(ids(reply))) == 2
    require_contents(messages)
    assert messages[0] == CASE["response"]["candidates"][0]["content"]
    assert [part["functionResponse"]["response"] for part in messages[1]["parts"]] == [
        {"output": "Oslo"},
        {"output": "Lima"},
    ]


def test_equal_calls_of_two_responses_get_different_ids() -> None:
    """By the id of the response, or by all that it holds where it has none."""
    first = response(call())
    second = {**first, "responseId": "r2"}
    bare = {"candidates": first["candidates"], "usageMetadata": {"totalTokenCount": 7}}
    longer = {**bare, "usageMetadata": {"totalTokenCount": 9}}

    made = [ids(GEMINI.read(body))[0] for body in (first, second, bare, longer)]

    assert len(set(made)) == 4


def test_an_id_that_is_there_twice_is_made_anew_in_the_history_too() -> None:
    """The results are paired by it; the first call keeps it."""
    reply = GEMINI.read(response(call(id="a"), call(id="a")))

    messages = follow_up(reply)

    require_contents(messages)
    assert ids(reply) == [part["functionCall"]["id"] for part in messages[0]["parts"]]
    assert ids(reply)[0] == "a"
    assert ids(reply)[1] != "a"


@pytest.mark.parametrize("field", ["functionCall", "function_call"])
def test_a_part_is_read_in_both_spellings(field: str) -> None:
    """The API and its SDKs write camel case and snake case."""
    reply = GEMINI.read(response({field: {"name": "now", "args": {"a": 1}}, "text": None}))

    assert reply.calls[0].call.arguments == {"a": 1}
    assert reply.message["parts"] == [{field: {"name": "now", "args": {"a": 1}}}]


@pytest.mark.parametrize("args", [{}, None, "", "null"])
def test_no_arguments_are_an_empty_object(args: object) -> None:
    """Whatever stands for them."""
    reply = GEMINI.read(response(call(args=args)))

    assert reply.calls[0].call.arguments == {}
    assert reply.calls[0].fault is None
    require_contents(follow_up(reply))


@pytest.mark.parametrize("fields", [{}, {"args": None}, {"args": {}}])
def test_a_call_without_arguments_needs_no_repair(fields: dict[str, Any]) -> None:
    """The API leaves them out, and its SDK writes null."""
    assert GEMINI.read(response(call(**fields))).calls[0].repairs == ()


def test_arguments_that_are_text_are_read_and_go_back_as_an_object() -> None:
    """A gateway encodes them once more; the API takes an object only."""
    reply = GEMINI.read(response(call(args='{"id": 9007199254740993}')))

    assert reply.calls[0].call.arguments == {"id": 9007199254740993}
    assert reply.message["parts"][0]["functionCall"]["args"] == {"id": 9007199254740993}
    assert reply.calls[0].repairs == ("encoded_twice",)


def test_arguments_that_cannot_be_read_leave_the_other_calls_alone() -> None:
    """The call is answered with its fault, and goes back with an empty object."""
    reply = GEMINI.read(response(call(args=[1]), call("fine", args={"a": 1})))

    assert [one.fault.code if one.fault else None for one in reply.calls] == [
        ErrorCode.INVALID_JSON,
        None,
    ]
    assert reply.message["parts"][0]["functionCall"]["args"] == {}


def test_a_call_without_a_name_is_a_call_of_no_tool() -> None:
    """It is answered under the name that it goes back with."""
    reply = GEMINI.read(response({"functionCall": {"args": {}}}))

    assert reply.calls[0].fault is not None
    assert reply.calls[0].fault.code == ErrorCode.UNKNOWN_TOOL
    require_contents(follow_up(reply))


def test_a_name_that_is_not_legal_goes_back_under_its_wire_name() -> None:
    """An invented name with a blank would make every later request fail."""
    reply = GEMINI.read(response(call("look up")))

    names = [message["parts"][0] for message in follow_up(reply)]
    assert names[0]["functionCall"]["name"] == GEMINI.wire_name("look up")
    assert names[1]["functionResponse"]["name"] == GEMINI.wire_name("look up")


def test_a_call_that_was_to_go_on_is_truncated() -> None:
    """Its pieces may make a whole object and yet not be what the model meant."""
    part = call(partialArgs=[{"jsonPath": "$.a", "numberValue": 1}], willContinue=True)

    reply = GEMINI.read(response(part))

    assert reply.calls[0].fault is not None
    assert reply.calls[0].fault.code == ErrorCode.TRUNCATED
    require_contents(follow_up(reply))


def test_what_the_sdk_adds_to_a_response_is_no_hindrance() -> None:
    """Times, bytes, and what it makes of a structured answer, which may be anything."""

    class Answer(Enum):
        YES = 1

    sdk = types.GenerateContentResponse(
        candidates=[
            types.Candidate(
                content=types.Content(role="model", parts=[types.Part(text="1")]),
                finish_reason=types.FinishReason.STOP,
            )
        ],
        create_time=datetime(2026, 11, 30, tzinfo=UTC),
        parsed=Answer.YES,
    )

    assert GEMINI.read(sdk).text == "1"


def test_thoughts_are_not_said_but_go_back() -> None:
    """With their signatures; a part of an empty text alone would be refused and stays out."""
    thought = {"text": "Hm.", "thought": True, "thoughtSignature": "c2ln"}

    reply = GEMINI.read(response(thought, {"text": "Hello "}, {"text": "there"}, {"text": ""}))

    assert reply.text == "Hello there"
    assert reply.message["parts"] == [thought, {"text": "Hello "}, {"text": "there"}]


def test_a_signature_on_an_empty_text_goes_back() -> None:
    """Gemini 3 ends some answers so, and wants it in the next request."""
    signed = {"text": "", "thoughtSignature": "c2ln"}

    assert GEMINI.read(response({"text": "Hi"}, signed)).message["parts"][1] == signed


def test_a_picture_is_an_answer() -> None:
    """It says nothing, and yet the model has answered."""
    picture = {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}

    reply = GEMINI.read(response(picture))

    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "")


@pytest.mark.parametrize("part", ["candidate", "content"])
def test_a_candidate_or_a_content_alone_is_read(part: str) -> None:
    """To go on with another than the first."""
    candidate = response(call())["candidates"][0]

    reply = GEMINI.read(candidate if part == "candidate" else candidate["content"])

    assert (reply.kind, len(reply.calls)) == (ReplyKind.CALLS, 1)


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (1, "body"),
        ("{", "body"),
        ([1], "chunk"),
        ({}, "candidates"),
        ({"choices": []}, "candidates"),
        ({"candidates": {}}, "candidates"),
        ({"candidates": [None]}, "candidates[0]"),
        ({"candidates": [{"content": []}]}, "candidates[0].content"),
        ({"candidates": [{"content": {"role": "user"}}]}, "candidates[0].content.role"),
        ({"candidates": [{"content": {"parts": {}}}]}, "candidates[0].content.parts"),
        ({"role": "model", "parts": "Hi"}, "parts"),
    ],
)
def test_what_is_no_response_is_refused_with_its_place(body: object, where: str) -> None:
    """One sentence that names the field."""
    with pytest.raises(ResponseMalformed, match=f"^response: {re.escape(where)}: "):
        GEMINI.read(body)


@settings(max_examples=20, deadline=None)
@given(PARTS, st.sampled_from(["STOP", "SAFETY", "MAX_TOKENS", ""]) | JSON)
def test_every_echo_is_one_that_the_api_takes(parts: list[Any], reason: Any) -> None:
    """Whatever came as parts: legal names, objects as arguments, and one result a call."""
    candidate = {"content": {"parts": parts}, "finishReason": reason}

    reply = GEMINI.read({"candidates": [candidate]})

    messages = follow_up(reply)
    json.dumps(messages, ensure_ascii=False, allow_nan=False).encode()
    assert len(set(ids(reply))) == len(reply.calls)
    asking = [
        part["functionCall"] for m in messages for part in m["parts"] if "functionCall" in part
    ]
    for one, echo in zip(reply.calls, asking, strict=True):
        assert echo["name"] == GEMINI.wire_name(one.call.name)
        assert isinstance(echo.get("args", {}), dict)
        assert echo.get("id", one.call.call_id) == one.call.call_id


@settings(max_examples=20, deadline=None)
@given(JSON | st.fixed_dictionaries({"candidates": JSON, "promptFeedback": JSON, "error": JSON}))
def test_nothing_but_a_malformed_response_is_raised(body: Any) -> None:
    """For anything at all, whole or as a chunk."""
    assembler = GEMINI.assembler()
    for read in (GEMINI.read, assembler.add):
        try:
            read(body)
        except ResponseMalformed:
            continue
    GEMINI.read(assembler.body())
    GEMINI.recognises(body)
