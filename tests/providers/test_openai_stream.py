"""Streams of Chat Completions, put together into what a whole response would have been."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionChunk

from tests.providers.openai_chunks import a_chunk, a_piece
from toolferry_dispatcher.providers import OpenAIChat, assemble
from toolferry_dispatcher.reply import Ending, ReplyKind

CHAT = OpenAIChat()


END = a_chunk("tool_calls")


def calls_of(*pieces: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The calls that a stream of these pieces, one a chunk, holds: id, name and arguments."""
    chunks = [*(a_chunk(tool_calls=[piece]) for piece in pieces), END]
    message = assemble(CHAT, chunks)["choices"][0]["message"]
    return [
        (call.get("id", ""), call["function"]["name"], call["function"]["arguments"])
        for call in message["tool_calls"]
    ]


def message_of(*deltas: dict[str, Any]) -> dict[str, Any]:
    """The message that these deltas are."""
    chunks = [*(a_chunk(**delta) for delta in deltas), a_chunk("stop")]
    return dict(assemble(CHAT, chunks)["choices"][0]["message"])


STREAM = [
    a_chunk(role="assistant", content=None),
    a_chunk(tool_calls=[a_piece("add", "", index=0, id="a", type="function")]),
    a_chunk(tool_calls=[a_piece(None, '{"x": 1}', index=0)]),
    END,
    {
        "id": "r1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
    },
]
LINES = [
    ": keep-alive",
    "",
    *(line for chunk in STREAM for line in (f"data: {json.dumps(chunk)}", "")),
    "data: [DONE]",
]


@pytest.mark.parametrize(
    "chunks",
    [
        STREAM,
        iter(STREAM),
        json.dumps(STREAM),
        [json.dumps(chunk) for chunk in STREAM],
        [json.dumps(chunk).encode() for chunk in STREAM],
        [ChatCompletionChunk.model_validate(chunk) for chunk in STREAM],
        LINES,
        [line.encode() for line in LINES],
        "\n".join(LINES),
        "\r\n".join(LINES).encode(),
        [*STREAM, "[DONE]"],
    ],
    ids=[
        "dicts",
        "iterator",
        "JSON text of all",
        "JSON texts",
        "JSON bytes",
        "ChatCompletionChunk",
        "lines",
        "lines of bytes",
        "text of events",
        "bytes of events",
        "with the word for the end",
    ],
)
def test_a_stream_is_understood_in_every_shape(chunks: object) -> None:
    """Objects of the official package, dicts, JSON text and lines of events are one stream."""
    body = assemble(CHAT, chunks)

    assert body["usage"] == STREAM[-1]["usage"]
    assert body["choices"] == [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "a",
                        "type": "function",
                        "function": {"name": "add", "arguments": '{"x": 1}'},
                    }
                ],
            },
        }
    ]


@pytest.mark.parametrize(
    ("pieces", "calls"),
    [
        pytest.param(
            [
                a_piece("f", "", index=0, id="a"),
                a_piece("g", "", index=2, id="b"),
                a_piece(None, '{"y":', index=2),
                a_piece(None, '{"x":', index=0),
                a_piece(None, "2}", index=2),
                a_piece(None, "1}", index=0),
            ],
            [("a", "f", '{"x":1}'), ("b", "g", '{"y":2}')],
            id="interleaved, with a gap between the indexes",
        ),
        pytest.param(
            [
                a_piece("f", '{"x":', index=0, id="a"),
                a_piece("f", "1}", index=0, id="a"),
                a_piece("f", "", index=0, id="a"),
            ],
            [("a", "f", '{"x":1}')],
            id="id and name in every piece",
        ),
        pytest.param(
            [
                a_piece("f", '{"x":1}', index=0),
                a_piece(None, None, index=0, id="a"),
            ],
            [("a", "f", '{"x":1}')],
            id="the id last",
        ),
        pytest.param(
            [a_piece("f", '{"x":1}'), a_piece("f", '{"x":2}'), a_piece("g", "{}")],
            [("", "f", '{"x":1}'), ("", "f", '{"x":2}'), ("", "g", "{}")],
            id="neither id nor index",
        ),
        pytest.param(
            [
                a_piece("f", '{"x":1}', index=0),
                a_piece("f", "", index=0),
                a_piece(None, '{"x":', index=0),
                a_piece(None, "2}", index=0),
            ],
            [("", "f", '{"x":1}'), ("", "f", '{"x":2}')],
            id="index 0 for all, without ids",
        ),
        pytest.param(
            [
                a_piece("f", "{}", index=0, id="same"),
                a_piece("g", '{"y":', index=1, id="same"),
                a_piece(None, "2}", index=1, id="same"),
            ],
            [("same", "f", "{}"), ("same", "g", '{"y":2}')],
            id="one id for two calls",
        ),
        pytest.param(
            [a_piece("f", '{"x":', index=0, id="a"), a_piece(None, "1}", index=7, id="a")],
            [("a", "f", '{"x":1}')],
            id="goes on under another index, with its id",
        ),
        pytest.param(
            [
                a_piece("f", '{"x":', index=0, id="a"),
                a_piece(None, "1", index=5),
                a_piece("g", "{}", index=1, id="b"),
                a_piece(None, "}", index=5),
            ],
            [("a", "f", '{"x":1}'), ("b", "g", "{}")],
            id="a foreign index stays with its call",
        ),
        pytest.param(
            [a_piece("f", {"x": 1}, index=0, id="a"), a_piece("f", {"x": 2}, index=0, id="b")],
            [("a", "f", '{"x": 1}'), ("b", "f", '{"x": 2}')],
            id="arguments as objects",
        ),
        pytest.param(
            [a_piece("f", '{"x":"}', index=0), a_piece("f", '{"', index=0), a_piece("f", "}")],
            [("", "f", '{"x":"}{"}')],
            id="brackets in a string end nothing",
        ),
        pytest.param(
            [a_piece("f", '{"x":"\\', index=0), a_piece("f", '"}', index=0), a_piece("f", '"}')],
            [("", "f", '{"x":"\\"}"}')],
            id="a quote that is escaped across two pieces",
        ),
        pytest.param(
            [a_piece("f", '{"x":1}', index=0, id="a"), a_piece(None, '{"x":2}', index=0)],
            [("a", "f", '{"x":1}{"x":2}')],
            id="two objects of one call stay together, to be refused",
        ),
        pytest.param(
            [a_piece("f", "", index=None, id="a"), a_piece(None, "{}", index="0")],
            [("a", "f", "{}")],
            id="an index that is none",
        ),
    ],
)
def test_pieces_find_their_calls(
    pieces: list[dict[str, Any]], calls: list[tuple[str, str, str]]
) -> None:
    """Whatever a server does with ids, indexes and names."""
    assert calls_of(*pieces) == calls


@st.composite
def cut_calls(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[tuple[str, str, str]]]:
    """Some calls, and their pieces as a server that keeps to the format may send them."""
    calls: list[tuple[str, str, str]] = []
    queues: list[list[dict[str, Any]]] = []
    repeats = draw(st.booleans())
    for at in range(draw(st.integers(1, 4))):
        name = draw(st.sampled_from(["f", "ff", "get"]))
        text = json.dumps(draw(st.dictionaries(st.text(max_size=3), st.text(max_size=9))))
        cuts = sorted(draw(st.sets(st.integers(1, len(text)), max_size=3)))
        parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        calls.append((f"c{at}", name, text))
        first, *rest = [a_piece(None, part, index=at) for part in parts]
        first |= {"id": f"c{at}", "type": "function"}
        first["function"]["name"] = name
        queues.append([first, *({**p, "id": f"c{at}"} if repeats else p for p in rest)])
    pieces = [queue.pop(0) for queue in queues]
    while any(queues):
        pieces.append(draw(st.sampled_from([queue for queue in queues if queue])).pop(0))
    return pieces, calls


@given(cut_calls())
def test_calls_that_were_cut_anywhere_are_whole_again(
    cut: tuple[list[dict[str, Any]], list[tuple[str, str, str]]],
) -> None:
    """In whatever order the pieces of different calls come."""
    pieces, calls = cut

    assert calls_of(*pieces) == calls


def test_fields_that_only_a_server_knows_stay_with_their_call() -> None:
    """A signature of thoughts must go back with it."""
    signature = {"google": {"thought_signature": "c2ln"}}
    chunks = [
        a_chunk(tool_calls=[a_piece("f", "{}", index=0, id="a", extra_content=signature)]),
        a_chunk(tool_calls=[a_piece(None, None, index=0, extra_content=None)]),
        END,
    ]

    [echo] = CHAT.read(assemble(CHAT, chunks)).message["tool_calls"]

    assert echo["extra_content"] == signature


def test_custom_calls_are_put_together_too() -> None:
    """Their text is no JSON, so that a quote or a bracket in it says nothing."""
    pieces = [
        {"index": 0, "id": "a", "type": "custom", "custom": {"name": "grep", "input": "a{"}},
        {"index": 0, "custom": {"input": '}"b'}},
    ]

    body = assemble(CHAT, [a_chunk(tool_calls=pieces), END])

    assert body["choices"][0]["message"]["tool_calls"] == [
        {"id": "a", "type": "custom", "custom": {"name": "grep", "input": 'a{}"b'}}
    ]


def test_an_empty_shell_of_a_custom_call_makes_none() -> None:
    """Some servers fill in every field there is, in every piece."""
    shell = {"name": "", "input": ""}

    calls = calls_of(
        a_piece("f", "", index=0, id="a", custom=shell), a_piece(None, "{}", index=0, custom=shell)
    )

    assert calls == [("a", "f", "{}")]


@pytest.mark.parametrize("field", ["content", "reasoning_content", "reasoning", "refusal"])
def test_texts_are_joined(field: str) -> None:
    """Thoughts too, which some servers want back."""
    assert message_of({field: "Let "}, {field: None}, {field: "me see."})[field] == "Let me see."


def test_parts_are_joined_with_their_neighbours_of_one_kind() -> None:
    """Thoughts and words of one message, in their order."""
    message = message_of(
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}]}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "m"}]}]},
        {"content": "Two "},
        {"content": "cities."},
    )

    assert message["content"] == [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "Two cities."},
    ]


def test_details_of_thoughts_are_joined_by_their_index() -> None:
    """A signature comes behind the text that it signs; encrypted ones are never mixed."""
    message = message_of(
        {"reasoning_details": [{"type": "reasoning.text", "text": "I ", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.text", "text": "see", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.text", "signature": "EvAB", "index": 0}]},
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "x", "id": "1"}]},
        {"reasoning_details": [{"type": "reasoning.encrypted", "data": "y", "id": "2"}]},
    )

    assert message["reasoning_details"] == [
        {"type": "reasoning.text", "text": "I see", "index": 0, "signature": "EvAB"},
        {"type": "reasoning.encrypted", "data": "x", "id": "1"},
        {"type": "reasoning.encrypted", "data": "y", "id": "2"},
    ]


def test_sound_is_joined() -> None:
    """It comes in pieces of base64 and of its words."""
    message = message_of(
        {"audio": {"id": "audio_1", "transcript": "Good "}},
        {"audio": {"transcript": "day.", "data": "UklG"}},
        {"audio": {"data": "Rg==", "expires_at": 1}},
    )

    assert message["audio"] == {
        "id": "audio_1",
        "transcript": "Good day.",
        "data": "UklGRg==",
        "expires_at": 1,
    }


@pytest.mark.parametrize(
    "chunks",
    [
        [],
        [a_chunk(role="assistant", content="The")],
        [a_chunk(tool_calls=[a_piece("f", "{}", index=0, id="a")])],
        [a_chunk("", tool_calls=[a_piece("f", "{}", index=0, id="a")]), "data: [DONE]"],
    ],
    ids=["nothing", "half a text", "a call", "a call and the word for the end"],
)
def test_a_stream_that_just_ends_is_incomplete_and_nothing_of_it_runs(
    chunks: list[object],
) -> None:
    """Nobody knows whether more was to come, even of a call that looks whole."""
    reply = CHAT.read(assemble(CHAT, chunks))

    assert (reply.kind, reply.ending) == (ReplyKind.INCOMPLETE, Ending.UNKNOWN)
    assert (reply.calls, reply.finish_reason) == ((), None)
    assert "tool_calls" not in reply.message


def test_an_error_in_the_middle_of_a_stream_is_the_providers() -> None:
    """What came before it is not the answer."""
    error = {"error": {"message": "overloaded", "code": 529}}

    reply = CHAT.read(assemble(CHAT, [STREAM[1], STREAM[2], error]))

    assert (reply.kind, reply.text, reply.calls) == (ReplyKind.PROVIDER_ERROR, "overloaded", ())


def test_of_several_choices_the_first_is_put_together() -> None:
    """They come mixed, and a conversation goes on with one."""
    other = a_chunk(content="B")
    other["choices"][0]["index"] = 1

    reply = CHAT.read(assemble(CHAT, [a_chunk(content="A"), other, a_chunk("stop")]))

    assert reply.text == "A"


def test_a_whole_message_in_place_of_deltas_is_taken() -> None:
    """Some servers do not stream calls, and answer with one chunk that has all."""
    message = {"role": "assistant", "tool_calls": [a_piece("f", "{}", id="a")]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}

    reply = CHAT.read(assemble(CHAT, [{"choices": [choice]}]))

    assert [read.call.call_id for read in reply.calls] == ["a"]
