"""Stored messages that are not just as a response, or a request, has them."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry_dispatcher.transcripts import WireRule, lint_messages, mend_messages

_CALL = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}
_USE = {"type": "tool_use", "id": "a", "name": "f", "input": {}}


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        (
            "anthropic",
            {"role": "assistant", "stop_reason": None, "content": [_USE]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]},
        ),
        (
            "openai-chat",
            {
                "role": "assistant",
                "content": None,
                "error": {"message": "?"},
                "tool_calls": [_CALL],
            },
            {"role": "tool", "tool_call_id": "abcdefghi", "content": "kept"},
        ),
        (
            "bedrock-converse",
            {
                "role": "assistant",
                "content": [
                    {"toolUse": {"toolUseId": "a", "name": "f", "input": {}, "type": "tool_use"}}
                ],
            },
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "a", "content": [{"text": "kept"}]}}],
            },
        ),
    ],
)
def test_what_a_response_has_beside_its_message_takes_no_call_from_it(
    name: str, said: dict[str, Any], told: dict[str, Any]
) -> None:
    """Whole responses are stored, too; their calls were answered, however they say they ended."""
    messages = [said, told]

    _, answer = mend_messages(messages, name)

    assert [fault.rule for fault in lint_messages(messages, name)] == [WireRule.CALL_ILLEGAL]
    assert answer == told


def test_an_id_that_recurs_is_replaced_by_one_that_the_server_takes() -> None:
    """Mistral refuses all that are not nine letters and digits."""
    turn = [
        {"role": "assistant", "content": "", "tool_calls": [_CALL]},
        {"role": "tool", "tool_call_id": "abcdefghi", "content": "8"},
    ]

    mended = mend_messages([*turn, *turn], "mistral")

    assert lint_messages(mended, "mistral") == ()
    assert mended[2]["tool_calls"][0]["id"] == mended[3]["tool_call_id"] != "abcdefghi"


def test_messages_of_responses_in_the_short_form_are_read() -> None:
    """An application may write what the model said without a type."""
    call = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "a", "output": "8"}
    short = {"role": "assistant", "content": "One moment."}

    assert lint_messages([short, call, output, short], "openai-responses") == ()
    assert mend_messages([call, short, output], "openai-responses") == [call, output, short]


_ASKED = {"role": "user", "content": "And?"}
_OPEN = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}", "async": True}
_OTHER = {"type": "function_call", "call_id": "b", "name": "g", "arguments": "{}"}


def _output(call_id: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "8"}


@pytest.mark.parametrize(
    "messages",
    [
        [_OPEN, _ASKED],
        [_OPEN, _OTHER, _output("b"), _ASKED],
        [_OPEN, _OTHER, _output("b"), _ASKED, _output("a"), _ASKED],
        [_OPEN, _ASKED, _OTHER, _output("b"), _output("a")],
        [_OPEN, _output("a"), _ASKED],
    ],
)
def test_a_call_that_may_stay_open_is_no_fault(messages: list[dict[str, Any]]) -> None:
    """Its output may come in any later request."""
    assert lint_messages(messages, "openai-responses") == ()
    assert mend_messages(messages, "openai-responses") == messages


def test_a_late_output_goes_by_the_new_id_of_its_call() -> None:
    """And one that stands before its call is moved behind it."""
    messages = [_OTHER | {"call_id": "a"}, _output("a"), _OPEN, _ASKED, _output("a")]

    mended = mend_messages(messages, "openai-responses")

    assert [one.get("call_id") for one in mended] == ["a", "a", "a_2", None, "a_2"]
    assert mend_messages([_output("a"), _OPEN], "openai-responses") == [_OPEN, _output("a")]
