"""Bedrock Converse in and out: what a response is, how it goes back, and the tools."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from tests.providers.converse_types import operation, require_messages, require_tools
from tests.providers.recorded import fields_of, told_of
from toolferry import ResponseMalformed, Tool
from toolferry_dispatcher.providers import (
    BedrockConverse,
    Media,
    Strictness,
    Told,
    export_tools,
    for_boto3,
)
from toolferry_dispatcher.providers.settling import cut_off
from toolferry_dispatcher.reply import Reply, ReplyKind

BEDROCK = BedrockConverse()
SAID = {"text": "Let me see."}
PNG = Media("image/png", "iVBORw0KGgo=")
#: What a response is by its stop reason, without calls.
KINDS = {
    "end_turn": ReplyKind.FINAL,
    "tool_use": ReplyKind.FINAL,
    "stop_sequence": ReplyKind.FINAL,
    "max_tokens": ReplyKind.INCOMPLETE,
    "model_context_window_exceeded": ReplyKind.INCOMPLETE,
    "guardrail_intervened": ReplyKind.REFUSED,
    "content_filtered": ReplyKind.REFUSED,
    "malformed_model_output": ReplyKind.INCOMPLETE,
    "malformed_tool_use": ReplyKind.INCOMPLETE,
    "a_new_one": ReplyKind.FINAL,
}
#: Those after which calls run; a new one says nothing.
RUNS = {"end_turn", "tool_use", "a_new_one"}


def call(call_id: Any = "tooluse_1", **fields: Any) -> dict[str, Any]:
    """Write a block that calls a tool."""
    return {"toolUse": {"toolUseId": call_id, "name": "now", "input": {}, **fields}}


def read(*blocks: Any, stop_reason: str = "tool_use") -> Reply:
    """Read a response of these blocks."""
    message = {"role": "assistant", "content": list(blocks)}
    return BEDROCK.read({"output": {"message": message}, "stopReason": stop_reason})


def turn(*blocks: Any) -> list[dict[str, Any]]:
    """Give the messages that follow a response of these blocks; the API takes them."""
    reply = read(*blocks)
    messages = BEDROCK.results(reply.message, told_of(reply))
    require_messages(messages)
    return messages


def shown(*media: Media, is_error: bool = False) -> dict[str, Any]:
    """Give the result of a call with media."""
    told = [Told("tooluse_1", "draw", "Drawn.", is_error, media)]
    messages = BEDROCK.results({"role": "assistant", "content": [call()]}, told)
    require_messages(messages)
    return dict(messages[1]["content"][0]["toolResult"])


def test_every_stop_reason_of_the_service_is_known() -> None:
    """A new release of its model that brings one fails here."""
    words = operation("Converse").output_shape.members["stopReason"].enum

    assert set(words) == KINDS.keys() - {"a_new_one"}


@pytest.mark.parametrize("word", KINDS)
def test_the_stop_reason_says_what_a_response_is_and_whether_calls_run(word: str) -> None:
    """Calls are answered in any case."""
    reply = read(SAID, call("a"), call("b"), stop_reason=word)

    runs = [one.call.call_id for one in cut_off(reply, run_complete=False).calls if not one.fault]
    assert runs == (["a", "b"] if word in RUNS else [])
    assert len(reply.calls) == 2
    assert read(SAID, stop_reason=word).kind is KINDS[word]


def test_a_bare_message_is_judged_by_what_it_holds() -> None:
    """A stored one has no stop reason; a response without one is a stream that just ended."""
    message = {"role": "assistant", "content": [SAID, call()]}

    assert BEDROCK.read(message).kind is ReplyKind.CALLS
    assert BEDROCK.read({"message": message}).kind is ReplyKind.CALLS
    assert BEDROCK.read({"output": {"message": message}}).kind is ReplyKind.INCOMPLETE


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"throttlingException": {"message": "Slow down."}}, "throttlingException: Slow down."),
        ({"Error": {"Code": "ValidationException", "Message": "No."}}, "ValidationException: No."),
    ],
    ids=["of a stream", "of boto3"],
)
def test_an_error_is_told_in_the_provider_s_words(body: Any, words: str) -> None:
    """It is no message, so nothing goes back."""
    reply = BEDROCK.read(body)

    assert reply.kind is ReplyKind.PROVIDER_ERROR
    assert reply.text == words
    assert reply.message == {}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ([], "body: must be an object, not an array"),
        ({}, "content: is missing: this is no response of Converse"),
        ({"output": 7}, "output.message: must be an object, not a number"),
        ({"output": {}}, "content: is missing: this is no response of Converse"),
        (
            {"output": {"message": {"content": "Hi."}}},
            "output.message.content: must be an array of blocks, not a string",
        ),
        ({"content": [7]}, "content[0]: must be an object, not a number"),
        ({"role": "user", "content": []}, "role: must be 'assistant', not 'user'"),
        ({"messageStop": {}}, "body: is one event of a stream, not a response"),
        (
            {"content": [{"type": "tool_use"}]},
            "content[0].type: is that of another API's block: name its provider",
        ),
    ],
)
def test_what_is_no_response_is_refused_by_its_place(body: Any, sentence: str) -> None:
    """One clear sentence says where and what."""
    with pytest.raises(ResponseMalformed) as refused:
        BEDROCK.read(body)

    assert str(refused.value) == f"response: {sentence}"


def test_a_message_goes_back_as_it_was_received() -> None:
    """Thoughts with their signatures, and what the service itself has run."""
    blocks = [
        {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2ln"}}},
        {"citationsContent": {"content": [{"text": "So it is."}], "citations": []}},
        {"toolUse": {"toolUseId": "s1", "name": "run", "input": {}, "type": "server_tool_use"}},
        {"toolResult": {"toolUseId": "s1", "content": [{"json": {"n": 1}}], "type": "run_result"}},
        call(),
    ]

    messages = turn(*blocks)

    assert messages[0]["content"] == blocks
    assert read(*blocks).text == "So it is."
    assert [one["toolResult"]["toolUseId"] for one in messages[1]["content"]] == ["tooluse_1"]


def test_calls_go_last_and_blank_texts_are_left_out() -> None:
    """The service sends both and takes neither."""
    messages = turn({"text": " "}, call("a"), SAID, call("b"))

    assert messages[0]["content"] == [SAID, call("a"), call("b")]


def test_ids_that_are_not_legal_are_so_on_the_wire_alone() -> None:
    """Too long ones among them; ids of their own for those that are there twice or not at all."""
    long_id = "call_" + "0" * 80

    messages = turn(call(long_id), call("a b"), call("a"), call("a"), call(None))

    ids = fields_of([block["toolUse"] for block in messages[0]["content"]], "toolUseId")
    assert ids[0].startswith("call_000")
    assert ids[2] == "a"
    assert len(set(ids)) == 5
    assert read(call(long_id)).calls[0].call.call_id == long_id


def test_calls_that_cannot_be_read_leave_their_siblings_alone() -> None:
    """They are answered, and go back in a form that the service takes."""
    reply = read(call("a", input=[1]), call("b"), call("c", name=None), {"toolUse": 7})

    codes = [one.fault.code if one.fault else None for one in reply.calls]
    assert codes == ["invalid_json", None, "unknown_tool", "unknown_tool"]
    require_messages(BEDROCK.results(reply.message, told_of(reply)))


def test_bytes_of_boto3_go_through_as_text_and_back() -> None:
    """What is kept is JSON; the client wants bytes, and gives them."""
    block = {"reasoningContent": {"redactedContent": b"\x00secret"}}

    reply = read(block, call(input={"source": {"bytes": "AAAA"}}))

    kept = {"reasoningContent": {"redactedContent": base64.b64encode(b"\x00secret").decode()}}
    assert reply.message["content"][0] == kept
    [sent] = for_boto3([reply.message])
    assert sent["content"][0] == block
    assert sent["content"][1] == reply.message["content"][1]


def test_media_stand_in_the_result_under_names_of_their_own() -> None:
    """The service refuses two documents of one name, and most characters in it."""
    table = Media("text/csv", "YSwx", "große  zahlen.csv")

    result = shown(PNG, table, Media("text/csv", "YSwx", "große  zahlen.csv", number=2))

    assert result["status"] == "success"
    assert result["content"][:2] == [
        {"text": "Drawn."},
        {"image": {"format": "png", "source": {"bytes": PNG.data}}},
    ]
    names = [one["document"]["name"] for one in result["content"][2:]]
    assert names[0].startswith("gro e zahlen csv ")
    assert len(set(names)) == 2


def test_an_error_holds_nothing_but_text() -> None:
    """And says that it is one."""
    result = shown(PNG, is_error=True)

    assert result["status"] == "error"
    text = "Drawn.\n[medium 1 (image/png) cannot be shown to you here]"
    assert result["content"] == [{"text": text}]


def test_a_late_result_is_a_message_of_its_own() -> None:
    """Half characters do not keep it from being sent."""
    late = BEDROCK.late("Done \ud83d!")

    assert late == {"role": "user", "content": [{"text": "Done \ufffd!"}]}
    require_messages([late])


def test_tools_are_described_as_the_service_wants_them() -> None:
    """An empty description is left out: it is refused."""
    tools = BEDROCK.tools([Tool(name="calendar.add", description="Add."), Tool(name="now")])

    require_tools(tools)
    assert tools[1] == {
        "toolSpec": {
            "name": "now",
            "inputSchema": {"json": {"type": "object", "properties": {}}},
        }
    }


def test_a_tool_that_may_be_strict_is() -> None:
    """Where it is asked for."""
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    export = export_tools(
        "bedrock-converse", [Tool(name="add", parameters=schema)], Strictness.WHERE_POSSIBLE
    )

    require_tools(export.tools)
    assert export.tools[0]["toolSpec"]["strict"] is True


@pytest.mark.parametrize(
    "body",
    [
        {"output": {"message": {}}},
        {"contentBlockDelta": {}},
        {"modelStreamErrorException": {}},
    ],
)
def test_a_response_is_recognised(body: Any) -> None:
    """By what no other format has."""
    assert BEDROCK.recognises(body)


@pytest.mark.parametrize("body", [{"output": []}, {"message": {"content": []}}, [], None])
def test_what_is_no_response_of_this_api_is_not_recognised(body: Any) -> None:
    """A response of the Responses API and one of Cohere among them."""
    assert not BEDROCK.recognises(body)
