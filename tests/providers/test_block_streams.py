"""Streams of the Messages API and of Converse, as servers that speak them only nearly send them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers import Anthropic, BedrockConverse, StreamingProvider
from toolferry_dispatcher.reply import Reply, ReplyKind

ANTHROPIC = Anthropic()
BEDROCK = BedrockConverse()


def read(
    *events: dict[str, Any], provider: StreamingProvider = ANTHROPIC, reason: str = "tool_use"
) -> Reply:
    """Read a stream of these events, with its end behind them."""
    assembler = provider.assembler()
    ends: dict[str, Any] = {"messageStop": {"stopReason": reason}}
    if provider is ANTHROPIC:
        ends = {"type": "message_delta", "delta": {"stop_reason": reason}}
    for event in (*events, ends):
        assembler.add(event)
    return provider.read(assembler.body())


def start(block: dict[str, Any], **index: int) -> dict[str, Any]:
    """Announce a block."""
    return {"type": "content_block_start", "content_block": block, **index}


def begin(call_id: str, **index: int) -> dict[str, Any]:
    """Announce a call."""
    return start({"type": "tool_use", "id": call_id, "name": "add", "input": {}}, **index)


def piece(text: str, **index: int) -> dict[str, Any]:
    """Send a piece of an input."""
    delta = {"type": "input_json_delta", "partial_json": text}
    return {"type": "content_block_delta", "delta": delta, **index}


def calls(reply: Reply) -> list[tuple[str, Any]]:
    """Give the calls of a reply: each by its id, with its arguments or its fault's code."""
    return [
        (one.call.call_id, one.fault.code if one.fault else one.call.arguments)
        for one in reply.calls
    ]


@pytest.mark.parametrize(
    "events",
    [
        (begin("a", index=3), piece('{"n":1}', index=3), begin("b", index=9), piece("{}", index=9)),
        (begin("a", index=0), piece('{"n":1}', index=0), begin("b", index=0), piece("{}", index=0)),
        (begin("a"), piece('{"n"'), piece(":1}"), begin("b"), piece("")),
        (
            begin("a", index=0),
            begin("b", index=1),
            piece('{"n"', index=0),
            piece("{}", index=1),
            piece(":1}", index=0),
        ),
        (begin("a", index=0), begin("a", index=0), piece('{"n":1}', index=0), begin("b", index=1)),
        (
            start({"type": "tool_use", "id": "a", "name": "add", "input": {"n": 1}}, index=0),
            begin("b", index=1),
        ),
    ],
    ids=["gaps", "one index for all", "no index", "interleaved", "announced twice", "no pieces"],
)
def test_calls_are_told_apart_however_they_are_numbered(events: Sequence[Any]) -> None:
    """Two calls, the first with one argument, the second with none."""
    assert calls(read(*events)) == [("a", {"n": 1}), ("b", {})]


def test_an_input_that_was_cut_off_is_truncated() -> None:
    """It goes back as an object all the same."""
    reply = read(begin("a"), piece("{}"), begin("b"), piece('{"path": "/tm'), reason="max_tokens")

    assert reply.kind is ReplyKind.CALLS
    assert calls(reply) == [("a", {}), ("b", "truncated")]
    assert reply.message["content"][1]["input"] == {}


def test_members_that_are_there_twice_are_seen_in_a_stream() -> None:
    """As in every arguments that come as text."""
    assert calls(read(begin("a"), piece('{"n":1,"n":2}'))) == [("a", "invalid_json")]


def test_thoughts_keep_their_signature_and_texts_their_citations() -> None:
    """And a summary of what was compacted stays whole."""
    blocks = [
        {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
        {"type": "text", "text": "So.", "citations": [{"type": "char_location"}]},
        {"type": "compaction", "content": "Before.", "encrypted_content": "ZQ=="},
    ]
    deltas = [
        (0, {"type": "thinking_delta", "thinking": "Hm."}),
        (0, {"type": "signature_delta", "signature": "c2ln"}),
        (1, {"type": "text_delta", "text": "So."}),
        (1, {"type": "citations_delta", "citation": {"type": "char_location"}}),
        (2, {"type": "compaction_delta", "content": "Before.", "encrypted_content": "ZQ=="}),
        (2, {"type": "a_new_delta", "opaque": 1}),
    ]

    reply = read(
        start({"type": "thinking", "thinking": "", "signature": ""}, index=0),
        start({"type": "text", "text": "", "citations": None}, index=1),
        start({"type": "compaction", "content": None}, index=2),
        *({"type": "content_block_delta", "index": at, "delta": delta} for at, delta in deltas),
        {"type": "a_new_event"},
        {"type": "ping"},
        reason="end_turn",
    )

    assert reply.message["content"] == blocks


def test_texts_that_were_never_announced_are_taken() -> None:
    """Some servers leave the announcement out."""
    delta = {"type": "text_delta", "text": "Hello."}

    reply = read({"type": "content_block_delta", "index": 0, "delta": delta}, reason="end_turn")

    assert reply.text == "Hello."


def test_a_piece_of_a_call_that_was_never_announced_is_refused() -> None:
    """Nobody knows which tool it would be for."""
    with pytest.raises(ResponseMalformed, match="index: is that of a block which has not begun"):
        read(piece("{}", index=0))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (7, "body: must be an object, a dict or JSON text, not int"),
        ({}, "chunk: must be an event of a message stream, not an object without a type"),
        ("[1]", "chunk: must be an event of a message stream, not a number"),
        ({"type": "content_block_start"}, "content_block: must be an object, not null"),
        ({"type": "message_start", "message": 7}, "message: must be an object, not a number"),
    ],
)
def test_what_is_no_event_is_refused_by_its_place(event: Any, sentence: str) -> None:
    """One clear sentence says where and what."""
    with pytest.raises(ResponseMalformed) as refused:
        ANTHROPIC.assembler().add(event)

    assert str(refused.value) == f"response: {sentence}"


def test_a_stream_that_the_provider_broke_off_is_its_error() -> None:
    """Whatever had come before it, nothing runs."""
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}

    reply = read(begin("a"), piece("{}"), error)

    assert reply.kind is ReplyKind.PROVIDER_ERROR
    assert reply.text == "overloaded_error: Overloaded"
    assert reply.calls == ()


def test_what_ends_a_stream_never_takes_back_what_began_it() -> None:
    """Counts are put together, and a null says nothing."""
    assembler = ANTHROPIC.assembler()
    began = {"id": "msg_1", "stop_reason": None, "usage": {"input_tokens": 7, "output_tokens": 1}}

    assembler.add({"type": "message_start", "message": began})
    assembler.add({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})
    assembler.add(
        {
            "type": "message_delta",
            "delta": {"stop_reason": None},
            "usage": {"input_tokens": None, "output_tokens": 9},
        }
    )

    body = assembler.body()
    assert body["stop_reason"] == "end_turn"
    assert body["usage"] == {"input_tokens": 7, "output_tokens": 9}


def converse(index: int | None, **event: Any) -> dict[str, Any]:
    """Write an event of Converse about a block."""
    [(name, value)] = event.items()
    at = {} if index is None else {"contentBlockIndex": index}
    kind = "contentBlockStart" if name == "start" else "contentBlockDelta"
    return {kind: {name: value, **at}}


@pytest.mark.parametrize("indexes", [(0, 1), (4, 9), (0, 0), (None, None)])
def test_calls_of_converse_are_told_apart_however_they_are_numbered(
    indexes: tuple[int | None, int | None],
) -> None:
    """Two calls, the first with one argument, the second with none."""
    first, second = indexes

    reply = read(
        converse(first, start={"toolUse": {"toolUseId": "a", "name": "add"}}),
        converse(first, delta={"toolUse": {"input": '{"n"'}}),
        converse(first, delta={"toolUse": {"input": ":1}"}}),
        converse(second, start={"toolUse": {"toolUseId": "b", "name": "add"}}),
        provider=BEDROCK,
    )

    assert calls(reply) == [("a", {"n": 1}), ("b", {})]


def test_all_kinds_of_blocks_of_converse_are_put_together() -> None:
    """Redacted thoughts, citations, results and pictures of the service among them."""
    citation = {"title": "A", "location": {"web": {"url": "https://example.test"}}}

    reply = read(
        converse(0, delta={"reasoningContent": {"redactedContent": b"secret"}}),
        converse(1, delta={"text": "So."}),
        converse(1, delta={"citation": citation}),
        converse(2, start={"toolResult": {"toolUseId": "s", "status": "success"}}),
        converse(2, delta={"toolResult": [{"json": {"n": 1}}]}),
        converse(3, start={"image": {"format": "png"}}),
        converse(3, delta={"image": {"source": {"bytes": b"png"}}}),
        provider=BEDROCK,
        reason="end_turn",
    )

    assert reply.message["content"] == [
        {"reasoningContent": {"redactedContent": "c2VjcmV0"}},
        {"citationsContent": {"content": [{"text": "So."}], "citations": [citation]}},
        {"toolResult": {"toolUseId": "s", "status": "success", "content": [{"json": {"n": 1}}]}},
        {"image": {"format": "png", "source": {"bytes": "cG5n"}}},
    ]
    assert reply.text == "So."


def test_a_stream_of_converse_that_was_broken_off_is_its_error() -> None:
    """Whatever had come before it, nothing runs."""
    reply = read(
        converse(0, start={"toolUse": {"toolUseId": "a", "name": "add"}}),
        {"modelStreamErrorException": {"message": "It broke."}},
        provider=BEDROCK,
    )

    assert reply.kind is ReplyKind.PROVIDER_ERROR
    assert reply.text == "modelStreamErrorException: It broke."


def test_a_piece_of_a_call_of_converse_that_has_not_begun_is_refused() -> None:
    """Nobody knows which tool it would be for."""
    with pytest.raises(ResponseMalformed, match="is that of a call not yet begun"):
        read(converse(0, delta={"toolUse": {"input": "{}"}}), provider=BEDROCK)


@pytest.mark.parametrize("event", [{}, 7, "[1]", {"messageStop": 7}])
def test_what_is_no_event_of_converse_is_refused(event: Any) -> None:
    """In one clear sentence."""
    with pytest.raises(ResponseMalformed):
        BEDROCK.assembler().add(event)
