"""What a response is, by what it holds."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from toolferry_dispatcher.providers import OpenAIChat
from toolferry_dispatcher.reply import Reply, ReplyKind

CALL = {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}


def reply_to(message: dict[str, Any], finish_reason: str | None = "stop") -> Reply:
    """Read one assistant message as the only choice of a completion."""
    choice = {
        "index": 0,
        "finish_reason": finish_reason,
        "message": {"role": "assistant", **message},
    }
    return OpenAIChat().read({"id": "r1", "object": "chat.completion", "choices": [choice]})


@pytest.mark.parametrize("finish_reason", ["tool_calls", "stop", "", None, "something_new"])
def test_a_response_with_calls_asks_for_tools_whatever_its_finish_reason(
    finish_reason: str | None,
) -> None:
    """Servers send `stop` with calls; only words for a broken-off response count."""
    reply = reply_to({"content": None, "tool_calls": [CALL]}, finish_reason)

    assert reply.kind is ReplyKind.CALLS
    assert [read.call.name for read in reply.calls] == ["now"]


@pytest.mark.parametrize("calls", [[], None])
def test_an_empty_or_null_list_of_calls_with_text_is_a_final_answer(
    calls: list[Any] | None,
) -> None:
    """A finish reason `tool_calls` without a call changes nothing."""
    reply = reply_to({"content": "Hello!", "tool_calls": calls}, "tool_calls")

    assert reply.kind is ReplyKind.FINAL
    assert reply.text == "Hello!"


@pytest.mark.parametrize("content", [None, "", " \n", []])
def test_a_response_without_calls_and_text_is_degenerate(content: object) -> None:
    """It is a failure of the model and never counts as an answer."""
    reply = reply_to({"content": content, "tool_calls": []}, "tool_calls")

    assert reply.kind is ReplyKind.DEGENERATE
    assert reply.text == ""


@pytest.mark.parametrize(
    "finish_reason",
    ["length", "content_filter", "max_tokens", "model_length", "insufficient_system_resource"],
)
def test_a_response_that_was_cut_off_is_incomplete_and_keeps_its_calls(finish_reason: str) -> None:
    """The calls are there to be answered, one by one, not to be run."""
    reply = reply_to({"content": None, "tool_calls": [CALL]}, finish_reason)

    assert reply.kind is ReplyKind.INCOMPLETE
    assert [read.call.call_id for read in reply.calls] == ["call_1"]
    assert reply.finish_reason == finish_reason


def test_a_text_that_was_cut_off_is_incomplete_too() -> None:
    """Half an answer is no final answer."""
    reply = reply_to({"content": "The three reasons are: first"}, "length")

    assert reply.kind is ReplyKind.INCOMPLETE
    assert reply.text == "The three reasons are: first"


def test_the_words_of_a_refusal_are_the_text() -> None:
    """A refusal says something, so it is no degenerate response."""
    reply = reply_to({"content": None, "refusal": "I cannot help with that."})

    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "I cannot help with that.")


def test_the_transcript_of_an_answer_in_sound_is_the_text() -> None:
    """Such a message has no content; the history names the sound by its id alone."""
    audio = {"id": "audio_1", "data": "UklGRg==", "expires_at": 1, "transcript": "Good morning."}

    reply = reply_to({"content": None, "audio": audio})

    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "Good morning.")
    assert reply.message["audio"] == {"id": "audio_1"}


def test_a_reply_cannot_be_changed() -> None:
    """What was read stays what was read."""
    reply = reply_to({"content": "Hello!"})

    with pytest.raises(FrozenInstanceError):
        reply.text = "Bye!"  # type: ignore[misc]  # the point of the test
