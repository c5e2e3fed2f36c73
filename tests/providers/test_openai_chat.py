"""Chat Completions in: every shape that a response is held in, and what can be wrong in it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from types import MappingProxyType
from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionMessage

from tests.providers.wire_types import require_tools
from toolferry import ErrorCode, ResponseMalformed, Tool, ToolInvalid
from toolferry_dispatcher.providers import OpenAIChat, Told, free_form
from toolferry_dispatcher.reply import ReadCall, ReplyKind

CHAT = OpenAIChat()


def a_call(
    call_id: object = "call_1", name: object = "now", arguments: object = "{}"
) -> dict[str, Any]:
    """One call as it stands in a message."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def a_message(*calls: object, **fields: object) -> dict[str, Any]:
    """An assistant message with these calls."""
    return {"role": "assistant", "content": None, "refusal": None, "tool_calls": [*calls], **fields}


def a_completion(*calls: object, **fields: object) -> dict[str, Any]:
    """A completion whose only choice is such a message."""
    choice = {
        "index": 0,
        "finish_reason": "tool_calls",
        "logprobs": None,
        "message": a_message(*calls, **fields),
    }
    return {
        "id": "r1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }


def read_calls(*calls: object) -> tuple[ReadCall, ...]:
    """Read a completion with these calls."""
    return CHAT.read(a_completion(*calls)).calls


BODY = a_completion(a_call("a", "add", '{"x": 1}'), a_call("b", "now", ""))


@pytest.mark.parametrize(
    "response",
    [
        BODY,
        MappingProxyType(BODY),
        json.dumps(BODY),
        json.dumps(BODY).encode(),
        b"\xef\xbb\xbf" + json.dumps(BODY).encode(),
        ChatCompletion.model_validate(BODY),
        ChatCompletion.construct(**BODY),
        ChatCompletion.model_validate(BODY).choices[0],
        ChatCompletion.model_validate(BODY).choices[0].message,
        ChatCompletionMessage.construct(**BODY["choices"][0]["message"]),
        BODY["choices"][0],
        BODY["choices"][0]["message"],
        {
            "id": "r1",
            "choices": [{"message": ChatCompletion.model_validate(BODY).choices[0].message}],
        },
    ],
    ids=[
        "dict",
        "another mapping",
        "text",
        "bytes",
        "bytes with a byte order mark",
        "ChatCompletion",
        "ChatCompletion, unchecked",
        "Choice",
        "ChatCompletionMessage",
        "ChatCompletionMessage, unchecked",
        "dict of a choice",
        "dict of a message",
        "object inside of a dict",
    ],
)
def test_a_response_is_understood_in_every_shape(response: object) -> None:
    """Objects of the official package, dicts and JSON text give the same reply."""
    reply = CHAT.read(response)

    assert reply.kind is ReplyKind.CALLS
    assert [(c.call.call_id, c.call.name, c.call.arguments) for c in reply.calls] == [
        ("a", "add", {"x": 1}),
        ("b", "now", {}),
    ]
    assert reply.message == a_message(a_call("a", "add", '{"x": 1}'), a_call("b", "now", "{}"))


def test_the_official_package_is_never_imported() -> None:
    """It is optional: an agent may use another client, or none."""
    code = "import sys, toolferry_dispatcher.providers; sys.exit('openai' in sys.modules)"

    ended = subprocess.run([sys.executable, "-c", code], check=False)

    assert ended.returncode == 0


def test_a_response_is_not_changed_by_being_read() -> None:
    """What is put right is put right in a copy."""
    body = a_completion(a_call("a", "no.good", {"x": 1}), a_call("a", "", None))
    before = json.dumps(body)

    CHAT.read(body)

    assert json.dumps(body) == before


@pytest.mark.parametrize(
    ("response", "sentence"),
    [
        ("{", "response: body: is not JSON: "),
        (b"\xff", "response: body: is not UTF-8 text: byte 0"),
        ("[" * 100_000, "response: body: is not JSON: "),
        ("[]", "response: body: must be an object, not an array"),
        ("null", "response: body: must be an object, not null"),
        (7, "response: body: must be an object, a dict or JSON text, not int"),
        ({"id": {1, 2}}, "response: body: cannot be written as JSON: a set is not JSON data"),
        ({}, "response: choices: is missing: this is no chat completion"),
        ({"choices": {}}, "response: choices: must be an array, not an object"),
        ({"choices": []}, "response: choices: is empty: the response holds no answer"),
        ({"choices": ["x"]}, "response: choices[0]: must be an object, not a string"),
        ({"choices": [{}]}, "response: choices[0].message: is missing"),
        (
            {"choices": [{"delta": {}}]},
            "response: choices[0].message: is missing: this is one chunk of a stream",
        ),
        (
            {"choices": [{"message": 1}]},
            "response: choices[0].message: must be an object, not a number",
        ),
        (
            a_completion(role="user"),
            "response: choices[0].message.role: must be 'assistant', not 'user'",
        ),
        (
            a_completion(content=True),
            "response: choices[0].message.content: must be a string, an array of parts or null",
        ),
        (
            a_completion(content=[{"type": "text", "text": "a"}, {"type": "tool_use"}]),
            "response: choices[0].message.content[1].type: 'tool_use' is no part of a chat",
        ),
        (
            a_completion(tool_calls={"id": "a"}),
            "response: choices[0].message.tool_calls: must be an array or null, not an object",
        ),
        (
            a_completion(tool_calls=None, function_call={"name": "now", "arguments": ""}),
            "response: choices[0].message.function_call: is the form of old that cannot be",
        ),
        (
            {"role": "assistant", "tool_calls": "x"},
            "response: tool_calls: must be an array or null",
        ),
    ],
)
def test_a_response_that_cannot_be_read_is_refused_by_the_field(
    response: object, sentence: str
) -> None:
    """One clear sentence names the field and what is wrong with it."""
    with pytest.raises(ResponseMalformed) as refused:
        CHAT.read(response)

    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("depth", [100, 800, 900, 950, 980, 1_000, 100_000])
def test_a_response_may_be_nested_and_never_breaks_the_reader(depth: int) -> None:
    """It is read, or refused as a whole; nobody sees a RecursionError."""
    text = f'{{"role": "assistant", "content": "x", "more": {"[" * depth}{"]" * depth}}}'

    with contextlib.suppress(ResponseMalformed):
        assert CHAT.read(text).text == "x"


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (a_call("b", "add", '{"x": 1'), ErrorCode.TRUNCATED),
        (a_call("b", "add", "{'x': 1}"), ErrorCode.INVALID_JSON),
        (a_call("b", "add", '{"x": 1}{"x": 2}'), ErrorCode.MULTIPLE_OBJECTS),
        (a_call("b", "add", [1]), ErrorCode.INVALID_JSON),
        (a_call("b", "add", {"x": float("nan")}), ErrorCode.INVALID_JSON),
        (a_call("b", "", "{}"), ErrorCode.UNKNOWN_TOOL),
        (a_call("b", None, "{}"), ErrorCode.UNKNOWN_TOOL),
        ({"id": "b", "type": "function"}, ErrorCode.UNKNOWN_TOOL),
        ({"id": "b", "function": "add"}, ErrorCode.UNKNOWN_TOOL),
        ({"id": "b", "custom": {"name": " ", "input": "x"}}, ErrorCode.UNKNOWN_TOOL),
    ],
)
def test_a_call_that_cannot_be_read_leaves_its_siblings_alone(
    call: dict[str, Any], code: ErrorCode
) -> None:
    """It keeps its place and its id, has a fault and no arguments; the others are read."""
    before, faulty, after = read_calls(a_call("a"), call, a_call("c"))

    assert (before.fault, after.fault) == (None, None)
    assert (faulty.call.call_id, faulty.call.arguments) == ("b", {})
    assert faulty.fault is not None
    assert faulty.fault.code == code


@pytest.mark.parametrize("item", [None, "now", 7, [], {}])
def test_what_is_no_call_at_all_is_still_answered(item: object) -> None:
    """Nothing in the list is passed over: each place has a call with an id."""
    first, second = read_calls(a_call("a"), item)

    assert first.call.call_id == "a"
    assert second.fault is not None
    assert second.call.call_id.startswith("call_")


def test_a_custom_call_gives_its_tool_the_text() -> None:
    """As `input`, whatever the text looks like; it goes back as it came, and has one result."""
    item = {"id": "c", "type": "custom", "custom": {"name": "grep", "input": '{"x": "}'}}

    reply = CHAT.read(a_completion(item))

    [read] = reply.calls
    assert (read.fault, read.repairs) == (None, ())
    assert (read.call.name, read.call.arguments) == ("grep", {"input": '{"x": "}'})
    assert reply.message["tool_calls"] == [item]
    told = Told("c", "grep", "done")
    assert CHAT.results(reply.message, [told])[1]["tool_call_id"] == "c"


def test_a_tool_is_offered_for_free_text() -> None:
    """One with the text `input` alone; the same function does it for both APIs of OpenAI."""
    text = {"type": "object", "properties": {"input": {"type": "string"}}}
    grep = Tool(name="grep", description="Search.", parameters=text)

    [offered] = CHAT.tools([grep])
    custom = free_form(offered, {"type": "text"})

    require_tools([custom])
    assert custom["custom"]["format"] == {"type": "text"}
    with pytest.raises(ToolInvalid, match="takes free text only when 'input'"):
        free_form(CHAT.tools([Tool(name="wait")])[0])


@pytest.mark.parametrize("arguments", ["", "  \n", "null", None])
def test_no_arguments_are_an_empty_object(arguments: str | None) -> None:
    """Whether the tool can do without is its schema's business."""
    [read] = read_calls(a_call(arguments=arguments))

    assert (read.call.arguments, read.fault) == ({}, None)


def test_integers_stay_exact() -> None:
    """No id is rounded on its way to the handler."""
    [read] = read_calls(a_call(arguments='{"id": 1234567890123456789}'))

    assert read.call.arguments == {"id": 1234567890123456789}


def test_the_text_of_parts_is_joined() -> None:
    """Thoughts and parts of other kinds are no words for the reader."""
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "Two "},
        {"type": "text", "text": "cities."},
        {"type": "text"},
        None,
        " Done.",
    ]

    assert CHAT.read(a_completion(content=parts)).text == "Two cities. Done."


def test_of_several_choices_the_first_is_read() -> None:
    """They are alternatives, and a conversation goes on with one."""
    body = a_completion(a_call("a"))
    body["choices"].append(a_completion(a_call("b"))["choices"][0])

    assert [read.call.call_id for read in CHAT.read(body).calls] == ["a"]
