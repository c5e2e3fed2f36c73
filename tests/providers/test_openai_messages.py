"""Chat Completions out: the model's message as received, then one result a call."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.providers.wire_types import require_messages
from toolferry_dispatcher.providers import OpenAIChat, Told

CHAT = OpenAIChat()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
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
            "type": st.sampled_from(["function", "custom"]) | JSON,
            "function": JSON
            | st.fixed_dictionaries(
                {},
                optional={
                    "name": st.sampled_from(["now", "no.good"]) | JSON,
                    "arguments": st.sampled_from(["{}", "", '{"a"']) | JSON,
                },
            ),
            "custom": JSON | st.fixed_dictionaries({"name": JSON, "input": JSON}),
        },
    ),
    max_size=5,
)


def echo_of(message: dict[str, Any]) -> dict[str, Any]:
    """The message that goes back for this one."""
    return dict(CHAT.read({"id": "r1", "choices": [{"message": message}]}).message)


def echo_of_call(call: object) -> dict[str, Any]:
    """The call that goes back for this one."""
    echo: dict[str, Any] = echo_of({"role": "assistant", "content": None, "tool_calls": [call]})
    return dict(echo["tool_calls"][0])


@given(CALLS)
def test_every_echo_is_one_that_the_api_takes(calls: list[Any]) -> None:
    """Whatever came as calls: legal names, arguments in JSON, unique ids, one for each result."""
    reply = CHAT.read({"role": "assistant", "content": "", "tool_calls": calls})

    messages = CHAT.results(
        reply.message, [Told(c.call.call_id, c.call.name, "done") for c in reply.calls]
    )
    require_messages(messages)
    echoes = messages[0].get("tool_calls", [])
    assert len(echoes) == len(calls) == len(messages) - 1
    assert [e["id"] for e in echoes] == [m["tool_call_id"] for m in messages[1:]]
    assert len({e["id"] for e in echoes}) == len(echoes)
    for call in (e["function"] for e in echoes if e["type"] == "function"):
        assert re.fullmatch("[A-Za-z0-9_-]{1,64}", call["name"])
        assert isinstance(json.loads(call["arguments"]), dict)
    json.dumps(messages, ensure_ascii=False, allow_nan=False).encode()


def test_a_message_goes_back_as_it_was_received() -> None:
    """Thoughts, signatures, citations and what only that server knows stay untouched."""
    message = {
        "role": "assistant",
        "content": [{"type": "text", "text": "Let me see."}],
        "refusal": None,
        "annotations": [],
        "reasoning_content": "I need the weather.",
        "reasoning_details": [{"type": "reasoning.text", "signature": "EvAB", "index": 0}],
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "index": 0,
                "function": {"name": "weather", "arguments": '{ "city":"Oslo" }'},
                "extra_content": {"google": {"thought_signature": "c2ln"}},
            }
        ],
    }

    assert echo_of(message) == message


def test_results_follow_their_message_in_the_calls_order() -> None:
    """Nothing stands between them: the API refuses anything else."""
    message: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": []}

    messages = CHAT.results(message, [Told("a", "x", "first"), Told("b", "x", "second")])

    assert messages == [
        message,
        {"role": "tool", "tool_call_id": "a", "content": "first"},
        {"role": "tool", "tool_call_id": "b", "content": "second"},
    ]


@pytest.mark.parametrize("arguments", ["", " \n", "null", None, "[1]", '{"x": 1', "{'x': 1}", [1]])
def test_arguments_that_are_no_object_go_back_as_an_empty_one(arguments: object) -> None:
    """Several servers refuse a history with anything else, for ever after."""
    echo = echo_of_call({"id": "a", "function": {"name": "now", "arguments": arguments}})

    assert echo["function"]["arguments"] == "{}"


def test_arguments_that_came_as_an_object_go_back_as_text() -> None:
    """Encoded once, as the API wants them."""
    echo = echo_of_call({"id": "a", "function": {"name": "find", "arguments": {"q": "Zürich"}}})

    assert echo["function"]["arguments"] == '{"q": "Zürich"}'


def test_a_name_that_is_not_legal_goes_back_under_its_wire_name() -> None:
    """An invented name with a dot would make every later request fail."""
    echo = echo_of_call({"id": "a", "function": {"name": "calendar.add", "arguments": "{}"}})

    assert echo["function"]["name"] == CHAT.wire_name("calendar.add")


def test_a_type_that_is_missing_is_added() -> None:
    """Mistral leaves it out; the API asks for it."""
    echo = echo_of_call({"id": "a", "function": {"name": "now", "arguments": "{}"}})

    assert echo["type"] == "function"


def test_empty_shells_do_not_go_back() -> None:
    """Some servers fill in every field there is; as a request the empty ones are illegal."""
    echo = echo_of(
        {
            "role": "assistant",
            "content": "Sure!",
            "audio": {"id": "", "data": "", "transcript": "", "expires_at": 0},
            "function_call": {"name": "", "arguments": ""},
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": {"name": "now", "arguments": "{}"},
                    "custom": {"name": "", "input": ""},
                }
            ],
        }
    )

    call = {"id": "a", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    assert echo == {"role": "assistant", "content": "Sure!", "tool_calls": [call]}


@pytest.mark.parametrize("calls", [[], None])
def test_an_empty_list_of_calls_does_not_go_back(calls: list[Any] | None) -> None:
    """The API refuses it; and without calls it wants a content."""
    echo = echo_of({"role": "assistant", "content": None, "tool_calls": calls})

    assert echo == {"role": "assistant", "content": ""}


def test_what_an_sdk_parsed_does_not_go_back() -> None:
    """It was added on this side and the API does not know it."""
    function = {"name": "now", "arguments": "{}", "parsed_arguments": {}}

    echo = echo_of(
        {
            "role": "assistant",
            "content": "",
            "parsed": {},
            "tool_calls": [{"id": "a", "type": "function", "function": function}],
        }
    )

    assert "parsed" not in echo
    assert "parsed_arguments" not in echo["tool_calls"][0]["function"]


def test_half_characters_are_replaced() -> None:
    """A request with one could not even be encoded."""
    reply = CHAT.read('{"role": "assistant", "content": "ok \\ud83d", "thought": "\\ud83d"}')

    assert (reply.text, reply.message["thought"]) == ("ok �", "�")
    assert CHAT.results({}, [Told("a", "x", "cut \ud83d")])[0]["content"] == "cut �"
