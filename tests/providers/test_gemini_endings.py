"""Every way in which a response of Gemini may end."""

from __future__ import annotations

from typing import Any

import pytest
from google.genai import types

from tests.providers.gemini_samples import call, response
from toolferry_dispatcher.providers import Gemini
from toolferry_dispatcher.reply import Ending, ReplyKind

GEMINI = Gemini()
#: What each finish reason of the SDK makes of a response without calls and without a text.
ENDINGS = {
    "FINISH_REASON_UNSPECIFIED": Ending.UNKNOWN,
    "STOP": Ending.WHOLE,
    "MAX_TOKENS": Ending.LENGTH,
    "SAFETY": Ending.REFUSED,
    "RECITATION": Ending.REFUSED,
    "LANGUAGE": Ending.REFUSED,
    "OTHER": Ending.BROKEN,
    "BLOCKLIST": Ending.REFUSED,
    "PROHIBITED_CONTENT": Ending.REFUSED,
    "SPII": Ending.REFUSED,
    "MALFORMED_FUNCTION_CALL": Ending.BROKEN,
    "IMAGE_SAFETY": Ending.REFUSED,
    "IMAGE_PROHIBITED_CONTENT": Ending.REFUSED,
    "IMAGE_OTHER": Ending.BROKEN,
    "NO_IMAGE": Ending.WHOLE,
    "IMAGE_RECITATION": Ending.REFUSED,
    "UNEXPECTED_TOOL_CALL": Ending.BROKEN,
    "TOO_MANY_TOOL_CALLS": Ending.BROKEN,
    "MISSING_THOUGHT_SIGNATURE": Ending.FAILED,
    "MALFORMED_RESPONSE": Ending.BROKEN,
    "ESCALATION": Ending.REFUSED,
    "PUP_LIMITED_DISABLED": Ending.REFUSED,
    "CONTINUATION": Ending.LENGTH,
    "MODEL_ARMOR": Ending.REFUSED,
}


@pytest.mark.parametrize("reason", [*types.FinishReason, "SOMETHING_NEW"])
def test_every_finish_reason_is_known(reason: str) -> None:
    """All that the SDK lists stand in the table; one that is new says nothing."""
    word = str(getattr(reason, "value", reason))

    reply = GEMINI.read(response(reason=word))

    assert reply.ending is ENDINGS.get(word, Ending.WHOLE)
    assert (reply.kind is ReplyKind.DEGENERATE) is (reply.ending is Ending.WHOLE)


@pytest.mark.parametrize("reason", [*types.BlockedReason])
def test_every_blocked_prompt_is_refused(reason: types.BlockedReason) -> None:
    """Except by a reason that says that there is none."""
    feedback = {"blockReason": reason.value, "blockReasonMessage": "Not this."}

    reply = GEMINI.read({"promptFeedback": feedback, "usageMetadata": {}})

    if reason is types.BlockedReason.BLOCKED_REASON_UNSPECIFIED:
        assert reply.kind is ReplyKind.DEGENERATE
    else:
        assert (reply.kind, reply.text) == (ReplyKind.REFUSED, "Not this.")
        assert reply.finish_reason == reason.value


def test_calls_behind_which_a_filter_stepped_in_are_answered_and_not_run() -> None:
    """All are there for their answers; the last one is truncated."""
    reply = GEMINI.read(response(call("a"), call("b"), reason="SAFETY"))

    assert (reply.kind, reply.ending) == (ReplyKind.CALLS, Ending.REFUSED)
    assert [one.fault is None for one in reply.calls] == [True, False]


def test_a_call_of_a_tool_that_was_not_declared_is_judged_like_any_other() -> None:
    """The model is told which tools there are."""
    reply = GEMINI.read(response(call("list_files"), reason="UNEXPECTED_TOOL_CALL"))

    assert (reply.kind, reply.calls[0].fault) == (ReplyKind.CALLS, None)


@pytest.mark.parametrize(
    "body", [{"candidates": []}, {"candidates": None}, response(), response(reason=None)]
)
def test_an_answer_of_nothing_is_degenerate(body: dict[str, Any]) -> None:
    """A failure of the model, known of several versions; nothing of it goes back."""
    reply = GEMINI.read(body)

    assert (reply.kind, reply.message) == (ReplyKind.DEGENERATE, {})


def test_an_error_in_place_of_a_response_is_the_provider_s_word() -> None:
    """With what it says; there is nothing to send back."""
    error = {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}

    reply = GEMINI.read({"error": error})

    assert (reply.kind, reply.text, reply.message) == (
        ReplyKind.PROVIDER_ERROR,
        "The model is overloaded.",
        {},
    )
    assert reply.finish_reason == "UNAVAILABLE"
