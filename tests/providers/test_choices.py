"""Responses of several answers: the first is read, and the calls of the others are told of."""

from __future__ import annotations

from typing import Any

from structlog.testing import capture_logs

from toolferry_dispatcher.providers import Gemini, OpenAIChat, assemble
from toolferry_dispatcher.reply import Reply, ReplyKind

CHAT = OpenAIChat()
GEMINI = Gemini()


def asking(name: str, index: int = 0) -> dict[str, Any]:
    """A choice that asks for one tool."""
    function = {"name": name, "arguments": "{}"}
    call = {"id": f"call_{name}", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"index": index, "finish_reason": "tool_calls", "message": message}


def saying(text: str, index: int = 0) -> dict[str, Any]:
    """A choice that is an answer."""
    message = {"role": "assistant", "content": text}
    return {"index": index, "finish_reason": "stop", "message": message}


def streamed(*choices: dict[str, Any]) -> list[dict[str, Any]]:
    """Give choices as the chunks of a stream, one choice a chunk."""
    pieces = [
        {"index": one["index"], "finish_reason": one["finish_reason"], "delta": one["message"]}
        for one in choices
    ]
    return [{"id": "r1", "choices": [piece]} for piece in pieces]


def candidate(*parts: dict[str, Any], index: int = 0) -> dict[str, Any]:
    """A candidate of Gemini's."""
    return {"index": index, "content": {"role": "model", "parts": list(parts)}}


def names(reply: Reply) -> list[str]:
    """Give the names of what a reply asks for."""
    return [read.call.name for read in reply.calls]


LOOK: dict[str, Any] = {"functionCall": {"name": "look", "args": {}}}


def test_calls_of_the_first_choice_are_those_of_the_response() -> None:
    """The others are alternatives to it: to run both would do what nobody asked for."""
    body = {"id": "r1", "choices": [asking("look"), asking("pay", 1), saying("Hm.", 2)]}

    with capture_logs() as logs:
        reply = CHAT.read(body)

    assert names(reply) == ["look"]
    assert logs == [
        {
            "event": "response.choices_unread",
            "log_level": "warning",
            "provider": "openai-chat",
            "choices": 1,
        }
    ]


def test_calls_of_another_choice_do_not_make_an_answer_ask_for_them() -> None:
    """It is final, and the log says that there were calls."""
    with capture_logs() as logs:
        reply = CHAT.read({"id": "r1", "choices": [saying("Done."), asking("pay", 1)]})

    assert (reply.kind, reply.text) == (ReplyKind.FINAL, "Done.")
    assert [log["event"] for log in logs] == ["response.choices_unread"]


def test_choices_without_calls_are_nothing_to_tell_of() -> None:
    """Texts get lost that the application asked for and has."""
    with capture_logs() as logs:
        CHAT.read({"id": "r1", "choices": [asking("look"), saying("Hm.", 1)]})
        CHAT.read({"id": "r1", "choices": [asking("look")]})
        CHAT.read(asking("look"))

    assert logs == []


def test_a_choice_that_is_handed_in_is_gone_on_with() -> None:
    """Whichever it is."""
    with capture_logs() as logs:
        reply = CHAT.read(asking("pay", 1))

    assert names(reply) == ["pay"]
    assert logs == []


def test_pieces_of_another_choice_are_told_once() -> None:
    """However many come, and however they are interleaved."""
    chunks = streamed(asking("look"), asking("pay", 1), asking("pay", 1), asking("send", 2))

    with capture_logs() as logs:
        reply = CHAT.read(assemble(CHAT, chunks))

    assert names(reply) == ["look"]
    assert [log["event"] for log in logs] == ["response.choices_unread"]


def test_the_first_candidate_of_gemini_is_read() -> None:
    """Whole and streamed."""
    body = {"candidates": [candidate({"text": "Done."}), candidate(LOOK, index=1)]}

    with capture_logs() as logs:
        whole = GEMINI.read(body)
        streamed = GEMINI.read(assemble(GEMINI, [body, {"candidates": []}]))

    assert (names(whole), names(streamed)) == ([], [])
    assert (whole.text, streamed.text) == ("Done.", "Done.")
    assert [log["provider"] for log in logs] == ["gemini", "gemini"]
