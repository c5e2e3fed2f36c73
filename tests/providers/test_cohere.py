"""Cohere's Chat API, version 2: responses in, messages out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from cohere.core.unchecked_base_model import construct_type
from cohere.types.chat_finish_reason import ChatFinishReason
from cohere.v2.types import V2ChatResponse
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.cohere_types import require_messages, require_tools
from tests.providers.corpus import SAMPLE, Corpus
from toolferry import ResponseMalformed, ToolCall
from toolferry_dispatcher.providers import Cohere, Media, Told, detect, provider
from toolferry_dispatcher.reply import Ending, Reply, ReplyKind

COHERE = Cohere()
ROWS = [
    json.loads(line) for line in (SAMPLE / "cohere.jsonl").read_text(encoding="utf-8").splitlines()
]
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
#: Calls with every field right, wrong or missing.
CALLS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {},
        optional={
            "id": st.sampled_from(["a", "b"]) | JSON,
            "type": JSON,
            "function": JSON
            | st.fixed_dictionaries(
                {},
                optional={
                    "name": st.sampled_from(["now", "no-good"]) | JSON,
                    "arguments": st.sampled_from(["{}", "", '{"a"']) | JSON,
                },
            ),
        },
    ),
    max_size=4,
)
#: What each finish reason makes of a response; the last are of the API before.
ENDINGS = {
    "COMPLETE": Ending.WHOLE,
    "STOP_SEQUENCE": Ending.WHOLE,
    "MAX_TOKENS": Ending.LENGTH,
    "TOOL_CALL": Ending.WHOLE,
    "ERROR": Ending.FAILED,
    "TIMEOUT": Ending.FAILED,
    "ERROR_TOXIC": Ending.REFUSED,
    "ERROR_LIMIT": Ending.LENGTH,
    "USER_CANCEL": Ending.BROKEN,
    "SOMETHING_NEW": Ending.WHOLE,
}


def call(call_id: str = "a", name: str = "now", arguments: object = "{}") -> dict[str, Any]:
    """A call."""
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }


def response(*calls: object, reason: str = "TOOL_CALL", **message: Any) -> dict[str, Any]:
    """A response with these calls."""
    asked = {"tool_calls": list(calls)} if calls else {}
    return {
        "id": "r1",
        "finish_reason": reason,
        "message": {"role": "assistant", **asked, **message},
    }


def follow_up(reply: Reply) -> list[dict[str, Any]]:
    """What follows a reply."""
    return COHERE.results(
        reply.message, [Told(one.call.call_id, one.call.name, "done") for one in reply.calls]
    )


@by_row
def test_a_recorded_response_is_read_whole(row: Mapping[str, Any]) -> None:
    """As JSON, as the SDK's object, and as what that dumps."""
    sdk = construct_type(type_=V2ChatResponse, object_=row["body"])
    expected = [
        ToolCall(one["id"], one["name"], json.loads(one["raw_arguments"]))
        for one in row["expect"]["calls"]
    ]

    for form in (row["body"], json.dumps(row["body"]), sdk, sdk.model_dump()):
        reply = COHERE.read(form)

        assert (reply.kind, [one.call for one in reply.calls]) == (ReplyKind.CALLS, expected)
        assert reply.text == row["body"]["message"]["tool_plan"]
        require_messages(follow_up(reply))


@by_row
def test_a_recorded_message_goes_back_as_it_came(row: Mapping[str, Any]) -> None:
    """With the plan: the model goes on from it."""
    messages = follow_up(COHERE.read(row["body"]))

    assert messages[0] == row["body"]["message"]
    assert messages[1]["content"] == "done"


@by_row
def test_a_recorded_response_is_told_from_a_chat_completion(row: Mapping[str, Any]) -> None:
    """Both have a message and a finish reason."""
    choice = {"finish_reason": "stop", "index": 0, "message": {"role": "assistant"}}

    assert detect(row["body"]) == provider("cohere-v2")
    assert not COHERE.recognises(choice)


def test_the_tools_of_the_sample_are_described_as_the_api_wants_them() -> None:
    """Under names that tell them apart."""
    registry = Corpus().registry()

    tools = COHERE.tools(registry.visible())

    require_tools(tools)
    assert len({tool["function"]["name"] for tool in tools}) == len(registry.names())


@settings(max_examples=100, deadline=None)
@given(st.text(min_size=1, max_size=80))
def test_every_name_is_made_legal(name: str) -> None:
    """Servers of these models were seen to refuse `-`."""
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", COHERE.wire_name(name))


@pytest.mark.parametrize("reason", ENDINGS)
def test_every_finish_reason_is_known(reason: str) -> None:
    """All that the SDK lists, those of the API before, and one that is new."""
    listed = get_args(get_args(ChatFinishReason)[0])

    reply = COHERE.read(response(reason=reason, content=[{"type": "text", "text": "Hi"}]))

    assert set(listed) <= ENDINGS.keys()
    assert reply.ending is ENDINGS[reason]
    assert (reply.kind is ReplyKind.FINAL) is (reply.ending is Ending.WHOLE)


def test_thoughts_and_citations_go_back_and_are_not_said() -> None:
    """The blocks stay as they are."""
    content = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hello."}]

    reply = COHERE.read(response(reason="COMPLETE", content=content, citations=[{"start": 0}]))

    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "Hello.")
    assert reply.message["content"] == content
    require_messages(follow_up(reply))


@pytest.mark.parametrize("content", [None, "", " ", []])
def test_an_answer_of_nothing_is_degenerate(content: object) -> None:
    """A plan without calls is no answer either."""
    reply = COHERE.read(response(reason="COMPLETE", content=content, tool_plan="I will."))

    assert reply.kind is ReplyKind.DEGENERATE


def test_an_error_in_place_of_a_response_is_the_provider_s_word() -> None:
    """As the API answers with a status of 400 or 500."""
    reply = COHERE.read({"id": "x", "message": "invalid request: no messages"})

    assert (reply.kind, reply.text, reply.message) == (
        ReplyKind.PROVIDER_ERROR,
        "invalid request: no messages",
        {},
    )


def test_media_are_told_in_words() -> None:
    """A result holds text and documents only."""
    told = Told("a", "draw", "Done.", media=(Media("image/png", "AAAA"),))

    (message,) = COHERE.results({}, [told])

    assert message["content"].startswith("Done.\n")
    assert "image/png" in message["content"]


def test_a_late_result_is_a_message_of_the_user() -> None:
    """The format has none for a call that was answered before."""
    assert COHERE.late("It has ended.") == {"role": "user", "content": "It has ended."}


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (1, "body"),
        ({}, "message"),
        ({"message": []}, "message"),
        ({"message": {"role": "user"}}, "message.role"),
        ({"message": {"tool_calls": {}}}, "message.tool_calls"),
        ({"message": {"content": {}}}, "message.content"),
        ({"role": "assistant", "tool_calls": 1}, "tool_calls"),
    ],
)
def test_what_is_no_response_is_refused_with_its_place(body: object, where: str) -> None:
    """One sentence that names the field."""
    with pytest.raises(ResponseMalformed, match=f"^response: {re.escape(where)}: "):
        COHERE.read(body if isinstance(body, dict) else json.dumps(body))


@settings(max_examples=20, deadline=None)
@given(CALLS, JSON)
def test_every_echo_is_one_that_the_api_takes(calls: list[Any], reason: Any) -> None:
    """Whatever came as calls: legal names, arguments in JSON, unique ids, one result a call."""
    reply = COHERE.read(
        {"message": {"tool_calls": calls, "content": "Hi"}, "finish_reason": reason}
    )

    messages = follow_up(reply)
    json.dumps(messages, ensure_ascii=False, allow_nan=False).encode()
    require_messages(messages)
    assert len({one.call.call_id for one in reply.calls}) == len(reply.calls) == len(calls)
    for echo in messages[0].get("tool_calls", ()):
        assert isinstance(json.loads(echo["function"]["arguments"]), dict)


@settings(max_examples=20, deadline=None)
@given(JSON | st.fixed_dictionaries({"message": JSON, "finish_reason": JSON, "type": JSON}))
def test_nothing_but_a_malformed_response_is_raised(body: Any) -> None:
    """For anything at all, whole or as an event."""
    assembler = COHERE.assembler()
    for read in (COHERE.read, assembler.add):
        try:
            read(body)
        except ResponseMalformed:
            continue
    COHERE.read(assembler.body())
    COHERE.recognises(body)
