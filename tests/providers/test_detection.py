"""The format of a response is told by what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai.types.chat import ChatCompletionChunk

from tests.providers.corpus import SAMPLE
from toolferry import ResponseMalformed, ToolCall
from toolferry_dispatcher import detect
from toolferry_dispatcher.providers import (
    OpenAIChat,
    forget_provider,
    provider,
    register_provider,
)
from toolferry_dispatcher.reading import read_response
from toolferry_dispatcher.reply import ReplyKind

CALL = {"id": "a", "type": "function", "function": {"name": "now", "arguments": "{}"}}
WHOLE = {
    "id": "r1",
    "choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": [CALL]}}],
}
CHUNK: dict[str, Any] = {
    "id": "r1",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
    "choices": [
        {"index": 0, "finish_reason": "tool_calls", "delta": {"tool_calls": [{**CALL, "index": 0}]}}
    ],
}


class _Double(OpenAIChat):
    """Claims every completion too."""


@pytest.fixture
def double() -> Iterator[str]:
    """Give the name of a second format that looks the same."""
    register_provider(_Double("double"))
    yield "double"
    forget_provider("double")


@pytest.mark.parametrize(
    "response",
    [
        WHOLE,
        json.dumps(WHOLE),
        json.dumps(WHOLE).encode(),
        [CHUNK],
        json.dumps([CHUNK]),
        ChatCompletionChunk.model_validate(CHUNK),
        f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n",
        [": keep-alive", f"data: {json.dumps(CHUNK)}", "data: [DONE]"],
        {"error": {"message": "overloaded", "type": "server_error", "param": None, "code": None}},
    ],
    ids=["dict", "text", "bytes", "chunks", "text of chunks", "chunk", "events", "lines", "error"],
)
def test_chat_completions_are_recognised(response: object) -> None:
    """Whole ones, streams and errors, in every shape."""
    assert detect(response).name == "openai-chat"


def test_every_recorded_response_is_recognised() -> None:
    """Of every provider, whole or streamed."""
    texts = [path.read_text(encoding="utf-8") for path in SAMPLE.glob("*.jsonl")]
    rows = [json.loads(line) for text in texts for line in text.splitlines()]
    recorded = [row for row in rows if row.keys() >= {"body", "provider"}]

    mistaken = [row["id"] for row in recorded if detect(row["body"]).name != row["provider"]]

    assert recorded
    assert mistaken == []


@pytest.mark.parametrize(
    "response", [{"name": "now", "arguments": {}}, [{"name": "now"}, {"name": "now"}]]
)
def test_plain_calls_are_recognised(response: object) -> None:
    """One, or several."""
    assert detect(response).name == "plain"


@pytest.mark.parametrize("response", [{}, [], {"answer": 42}, [7], ""])
def test_what_fits_no_format_is_refused_with_those_that_there_are(response: object) -> None:
    """The person learns to name the provider."""
    with pytest.raises(ResponseMalformed) as refused:
        detect(response)

    sentence = str(refused.value)
    assert sentence.startswith("response: body: is in none of the known formats, ")
    assert "openai-chat" in sentence
    assert sentence.endswith(": name its provider")


def test_what_fits_two_formats_is_refused_with_both(double: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ResponseMalformed) as refused:
        detect(WHOLE)

    assert str(refused.value) == (
        f"response: body: could be of {double} and openai-chat: name its provider"
    )


@pytest.mark.parametrize(
    "response",
    [WHOLE, [CHUNK], iter([CHUNK]), f"data: {json.dumps(CHUNK)}\n\n", json.dumps([CHUNK])],
    ids=["whole", "chunks", "iterator", "events", "text of chunks"],
)
@pytest.mark.parametrize("name", ["auto", "openai-chat"])
def test_a_response_is_read_in_every_shape(response: object, name: str) -> None:
    """Its provider is the one that was named, or that was recognised."""
    # The same iterator is handed in for both names, and is empty for the second.
    response = iter([CHUNK]) if isinstance(response, Iterator) else response

    found, reply = read_response(response, name)

    assert found is provider("openai-chat")
    assert (reply.kind, len(reply.calls)) == (ReplyKind.CALLS, 1)


@pytest.mark.parametrize("name", ["auto", "openai-chat", "nobody"])
def test_plain_calls_are_told_by_their_type(name: str) -> None:
    """Whatever provider was named."""
    found, reply = read_response([ToolCall("a", "now")], name)

    assert (found.name, reply.calls[0].call.name) == ("plain", "now")


class _Events:
    """Chunks that are given when somebody asks, such as `boto3` gives those of a stream."""

    def __iter__(self) -> Iterator[dict[str, Any]]:
        yield CHUNK


EVENTS = f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n\n"


@pytest.mark.parametrize("name", ["auto", "openai-chat"])
@pytest.mark.parametrize(
    "response",
    [
        bytearray(json.dumps(WHOLE).encode()),
        json.dumps([CHUNK]).encode(),
        EVENTS.encode("utf-8-sig"),
        bytearray(EVENTS.encode()),
        EVENTS.encode().split(b"\n"),
        _Events(),
    ],
    ids=["bytearray", "array of bytes", "marked bytes", "bytearray of events", "lines", "iterable"],
)
def test_a_response_is_read_in_every_shape_in_which_it_can_be_held(
    response: object, name: str
) -> None:
    """Bytes count as the text that they are, and anything that can be gone through as chunks."""
    found, reply = read_response(response, name)

    assert (found.name, reply.kind) == ("openai-chat", ReplyKind.CALLS)
    assert [read.call.call_id for read in reply.calls] == ["a"]
