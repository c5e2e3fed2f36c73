"""The Messages API in: what a message is, and its calls."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from anthropic.types import StopReason
from anthropic.types.beta import BetaStopReason

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers import Anthropic
from toolferry_dispatcher.providers.settling import cut_off
from toolferry_dispatcher.reply import Reply, ReplyKind

ANTHROPIC = Anthropic()
SAID = {"type": "text", "text": "Let me see."}
#: What a message is by its stop reason: with calls, and with text alone.
KINDS = {
    "end_turn": (ReplyKind.CALLS, ReplyKind.FINAL),
    "tool_use": (ReplyKind.CALLS, ReplyKind.FINAL),
    "stop_sequence": (ReplyKind.CALLS, ReplyKind.FINAL),
    "max_tokens": (ReplyKind.CALLS, ReplyKind.INCOMPLETE),
    "model_context_window_exceeded": (ReplyKind.CALLS, ReplyKind.INCOMPLETE),
    "refusal": (ReplyKind.CALLS, ReplyKind.REFUSED),
    "pause_turn": (ReplyKind.CALLS, ReplyKind.INCOMPLETE),
    "compaction": (ReplyKind.CALLS, ReplyKind.INCOMPLETE),
    "a_new_one": (ReplyKind.CALLS, ReplyKind.FINAL),
}
#: Those after which the API wants calls run; a new one says nothing.
RUNS = {"end_turn", "tool_use", "a_new_one"}
#: Those after which the calls before the last one may run where an application says so.
LENGTHS = {"max_tokens", "model_context_window_exceeded"}


def call(call_id: Any = "toolu_1", **fields: Any) -> dict[str, Any]:
    """Write a block that calls a tool."""
    return {"type": "tool_use", "id": call_id, "name": "now", "input": {}, **fields}


def read(*blocks: Any, **fields: Any) -> Reply:
    """Read a message of these blocks."""
    return ANTHROPIC.read({"id": "msg_1", "role": "assistant", "content": list(blocks), **fields})


def runs(reply: Reply, *, run_complete: bool = False) -> list[str]:
    """Give the ids of the calls that would run."""
    calls = cut_off(reply, run_complete=run_complete).calls
    return [one.call.call_id for one in calls if one.fault is None]


def test_every_stop_reason_of_the_sdk_is_known() -> None:
    """A new release of the SDK that brings one fails here."""
    words = {*get_args(StopReason), *get_args(BetaStopReason)}

    assert words == KINDS.keys() - {"a_new_one"}


@pytest.mark.parametrize("word", KINDS)
def test_the_stop_reason_says_whether_calls_run(word: str) -> None:
    """They are answered in any case."""
    reply = read(SAID, call("a"), call("b"), stop_reason=word)

    assert reply.kind is KINDS[word][0]
    assert [one.call.call_id for one in reply.calls] == ["a", "b"]
    assert runs(reply) == (["a", "b"] if word in RUNS else [])


@pytest.mark.parametrize("word", KINDS)
def test_a_response_that_was_cut_runs_its_whole_calls_only_when_asked_to(word: str) -> None:
    """Never the last one, and none after a refusal."""
    reply = read(call("a"), call("b"), stop_reason=word)

    expected = ["a", "b"] if word in RUNS else ["a"] if word in LENGTHS else []
    assert runs(reply, run_complete=True) == expected


@pytest.mark.parametrize("word", KINDS)
def test_a_message_without_calls_is_what_its_stop_reason_says(word: str) -> None:
    """`pause_turn` among them: the message goes back as it is, and the model goes on."""
    reply = read(SAID, stop_reason=word)

    assert reply.kind is KINDS[word][1]
    assert reply.finish_reason == word
    assert reply.message == {"role": "assistant", "content": [SAID]}


def test_a_bare_message_is_judged_by_what_it_holds() -> None:
    """A stored one has no stop reason."""
    assert read(SAID, call()).kind is ReplyKind.CALLS
    assert read(SAID).kind is ReplyKind.FINAL
    assert ANTHROPIC.read({"role": "assistant", "content": "Hello."}).text == "Hello."


def test_a_null_stop_reason_is_that_of_a_stream_that_just_ended() -> None:
    """Nothing runs, and no call goes back that nobody would answer."""
    reply = read(SAID, call(), stop_reason=None)

    assert reply.kind is ReplyKind.INCOMPLETE
    assert reply.calls == ()
    assert reply.message == {"role": "assistant", "content": [SAID]}


def test_a_message_that_says_nothing_is_degenerate_and_does_not_go_back() -> None:
    """The API takes no message without content."""
    reply = read({"type": "text", "text": " "}, stop_reason="end_turn")

    assert reply.kind is ReplyKind.DEGENERATE
    assert ANTHROPIC.results(reply.message, []) == []


def test_a_refusal_is_told_in_the_provider_s_words() -> None:
    """Where the model itself said nothing."""
    details = {"type": "refusal", "category": "cyber", "explanation": "Not this one."}

    reply = read(stop_reason="refusal", stop_details=details)

    assert reply.kind is ReplyKind.REFUSED
    assert reply.text == "Not this one."


def test_an_error_is_told_in_the_provider_s_words() -> None:
    """It is no message, so nothing goes back."""
    error = {"type": "overloaded_error", "message": "Overloaded"}

    reply = ANTHROPIC.read({"type": "error", "error": error, "request_id": None})

    assert reply.kind is ReplyKind.PROVIDER_ERROR
    assert reply.text == "overloaded_error: Overloaded"
    assert reply.message == {}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ([], "body: must be an object, not an array"),
        ({}, "content: is missing: this is no response of the Messages API"),
        ({"content": 7}, "content: must be an array of blocks or a string, not a number"),
        ({"content": [7]}, "content[0]: must be an object, not a number"),
        ({"content": [{"toolUse": {}}]}, "content[0].type: must be a string, not null"),
        ({"role": "user", "content": "Hi."}, "role: must be 'assistant', not 'user'"),
        ({"type": "message_stop"}, "type: is that of one event of a stream, not of a response"),
        (
            {"content": [{"type": "tool_call"}]},
            "content[0].type: 'tool_call' is no block of the Messages API: name its provider",
        ),
    ],
)
def test_what_is_no_message_is_refused_by_its_place(body: Any, sentence: str) -> None:
    """One clear sentence says where and what."""
    with pytest.raises(ResponseMalformed) as refused:
        ANTHROPIC.read(body)

    assert str(refused.value) == f"response: {sentence}"


def test_integers_stay_exact() -> None:
    """Past 2**53, in the call and in its echo."""
    text = '{"content": [{"type": "tool_use", "id": "a", "name": "now", "input": {"n": %d}}]}'

    reply = ANTHROPIC.read(text % (2**64 + 1))

    assert reply.calls[0].call.arguments == {"n": 2**64 + 1}
    assert reply.message["content"][0]["input"] == {"n": 2**64 + 1}


def test_a_call_that_cannot_be_read_leaves_its_siblings_alone() -> None:
    """It gets a fault, and an input that the API takes back."""
    reply = read(call("a", input={"x": float("nan")}), call("b"), call("c", name=" "), call("d"))

    codes = [one.fault.code if one.fault else None for one in reply.calls]
    assert codes == ["invalid_json", None, "unknown_tool", None]
    assert [block["input"] for block in reply.message["content"]] == [{}, {}, {}, {}]


def test_an_input_in_a_text_is_read_and_goes_back_as_an_object() -> None:
    """As servers that speak the format only nearly send it."""
    reply = read(call(input='{"zone": "UTC"}'))

    assert reply.calls[0].call.arguments == {"zone": "UTC"}
    assert reply.calls[0].repairs == ("encoded_twice",)
    assert reply.message["content"][0]["input"] == {"zone": "UTC"}


def test_a_call_of_a_toolset_s_member_is_one_for_both_names() -> None:
    """An ordinary tool of the same name is another one; the result names the toolset."""
    member = call("a", name="left_click", toolset_name="computer")

    reply = read(member, call("b", name="left_click"))

    assert [one.call.name for one in reply.calls] == ["computer.left_click", "left_click"]
    assert reply.message["content"][0] == member


@pytest.mark.parametrize(
    "body",
    [
        {"type": "message", "content": [], "stop_reason": None},
        {"type": "content_block_stop", "index": 0},
        {"type": "error", "error": {"type": "api_error"}},
    ],
)
def test_a_response_is_recognised(body: Any) -> None:
    """By what no other format has."""
    assert ANTHROPIC.recognises(body)


@pytest.mark.parametrize(
    "body",
    [
        {"type": "message", "role": "assistant", "content": []},
        {"type": "error", "message": "Overloaded"},
        {"type": ["message"]},
        {"choices": []},
        [],
        None,
    ],
)
def test_what_is_no_response_of_this_api_is_not_recognised(body: Any) -> None:
    """A message of the Responses API among them."""
    assert not ANTHROPIC.recognises(body)


def test_text_and_bytes_are_read_as_json() -> None:
    """As they come over the wire."""
    body = json.dumps({"role": "assistant", "content": [call()], "stop_reason": "tool_use"})

    assert ANTHROPIC.read(body) == ANTHROPIC.read(body.encode()) == ANTHROPIC.read(json.loads(body))
