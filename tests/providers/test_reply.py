"""What a response is, by what it holds."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any, get_args

import pytest
from openai.types.chat.chat_completion import Choice

from toolferry_dispatcher.providers import OpenAIChat
from toolferry_dispatcher.providers.openai_endings import ending_of
from toolferry_dispatcher.providers.settling import cut_off
from toolferry_dispatcher.reply import Ending, Reply, ReplyKind

CALL = {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
OTHER = {**CALL, "id": "call_2"}


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
    ("finish_reason", "ending"),
    [
        ("length", Ending.LENGTH),
        ("max_tokens", Ending.LENGTH),
        ("model_length", Ending.LENGTH),
        ("content_filter", Ending.REFUSED),
        ("insufficient_system_resource", Ending.BROKEN),
        ("MALFORMED_FUNCTION_CALL", Ending.BROKEN),
    ],
)
def test_the_last_call_of_a_response_that_was_cut_off_is_truncated(
    finish_reason: str, ending: Ending
) -> None:
    """It asks for tools all the same: every call is there to be answered, in its order."""
    reply = reply_to({"content": None, "tool_calls": [CALL, OTHER]}, finish_reason)

    assert (reply.kind, reply.ending) == (ReplyKind.CALLS, ending)
    assert [read.call.call_id for read in reply.calls] == ["call_1", "call_2"]
    assert [read.fault and read.fault.code for read in reply.calls] == [None, "truncated"]
    assert reply.finish_reason == finish_reason


@pytest.mark.parametrize("finish_reason", ["length", "content_filter"])
def test_a_cut_off_response_without_a_whole_call_is_incomplete(finish_reason: str) -> None:
    """What there is of a call is answered, so that the model hears what went wrong."""
    half = {"id": "a", "type": "function", "function": {"name": "now", "arguments": '{"zo'}}

    reply = reply_to({"content": None, "tool_calls": [half]}, finish_reason)

    assert reply.kind is ReplyKind.INCOMPLETE
    assert [read.fault and read.fault.code for read in reply.calls] == ["truncated"]
    assert reply.message["tool_calls"][0]["function"]["arguments"] == "{}"


@pytest.mark.parametrize("run_complete", [False, True])
def test_whole_calls_run_after_the_length_limit_only_and_only_when_asked_for(
    run_complete: bool,  # noqa: FBT001 -- the word of the application
) -> None:
    """After a filter or a failure nobody knows what the model meant."""
    message = {"content": None, "tool_calls": [CALL, OTHER]}
    faults = {
        reason: [
            read.fault is None
            for read in cut_off(reply_to(message, reason), run_complete=run_complete).calls
        ]
        for reason in ("length", "content_filter", "tool_calls")
    }

    assert faults == {
        "length": [run_complete, False],
        "content_filter": [False, False],
        "tool_calls": [True, True],
    }


def test_a_text_that_was_cut_off_is_incomplete_too() -> None:
    """Half an answer is no final answer."""
    reply = reply_to({"content": "The three reasons are: first"}, "length")

    assert reply.kind is ReplyKind.INCOMPLETE
    assert reply.text == "The three reasons are: first"


def test_the_words_of_a_refusal_are_the_text() -> None:
    """A refusal says something, and is no answer."""
    reply = reply_to({"content": None, "refusal": "I cannot help with that."})

    assert (reply.kind, reply.text) == (ReplyKind.REFUSED, "I cannot help with that.")


def test_a_refusal_in_parts_is_one_too() -> None:
    """The API has both forms."""
    reply = reply_to({"content": [{"type": "refusal", "refusal": "No."}]})

    assert (reply.kind, reply.text) == (ReplyKind.REFUSED, "No.")


def test_a_filter_that_let_nothing_through_refused() -> None:
    """Nothing was said, and it is no failure of the model."""
    reply = reply_to({"content": "The rec"}, "content_filter")

    assert (reply.kind, reply.text) == (ReplyKind.REFUSED, "The rec")


def test_calls_beside_a_refusal_are_calls() -> None:
    """What a response holds counts."""
    assert reply_to({"refusal": "No.", "tool_calls": [CALL]}).kind is ReplyKind.CALLS


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"error": {"message": "overloaded", "code": 502}}, "overloaded"),
        ({"error": "model not found"}, "model not found"),
        ({"error": {"code": 502}, "choices": []}, "502"),
        ({"object": "error", "message": "no such model", "code": 404}, "no such model"),
        ({"choices": [{"error": {"message": "gone"}, "finish_reason": "error"}]}, "gone"),
        ({"choices": [{"finish_reason": "error", "message": {"content": "The"}}]}, "The"),
    ],
)
def test_an_error_of_the_provider_is_a_reply(body: dict[str, Any], text: str) -> None:
    """There is nothing to run and nothing to send back: the request can be made again."""
    reply = OpenAIChat().read(body)

    assert (reply.kind, reply.text, reply.calls) == (ReplyKind.PROVIDER_ERROR, text, ())


def test_calls_beside_an_error_are_passed_over() -> None:
    """Whoever asks again gets them anew."""
    reply = reply_to({"content": None, "tool_calls": [CALL]}, "error")

    assert (reply.kind, reply.calls) == (ReplyKind.PROVIDER_ERROR, ())
    assert "tool_calls" not in reply.message


def test_an_empty_shell_of_an_error_is_none() -> None:
    """Some servers fill in every field there is."""
    choice = {"finish_reason": "stop", "message": {"content": "Hi."}}

    reply = OpenAIChat().read({"error": {"message": "", "code": 0}, "choices": [choice]})

    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "Hi.")


def test_every_finish_reason_of_the_api_has_a_meaning() -> None:
    """Those of the official types; what is unknown says nothing."""
    annotation = Choice.model_fields["finish_reason"].annotation

    meanings = {reason: ending_of(reason) for reason in (*get_args(annotation), "new", "", None)}

    assert meanings == {
        "stop": Ending.WHOLE,
        "length": Ending.LENGTH,
        "tool_calls": Ending.WHOLE,
        "content_filter": Ending.REFUSED,
        "function_call": Ending.WHOLE,
        "new": Ending.WHOLE,
        "": Ending.WHOLE,
        None: Ending.WHOLE,
    }


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
