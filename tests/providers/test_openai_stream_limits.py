"""What is no stream of Chat Completions is refused, and none takes long."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.openai_chunks import a_chunk, a_piece
from toolferry import ResponseMalformed
from toolferry_dispatcher.providers import OpenAIChat, assemble

CHAT = OpenAIChat()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("chunk", "sentence"),
    [
        ("data: {", "response: body: is not JSON: "),
        ("hello", "response: chunk: is neither JSON nor a line of server-sent events"),
        (b"\xff", "response: chunk: is not UTF-8 text: byte 0"),
        (7, "response: body: must be an object, a dict or JSON text, not int"),
        ("data: 7", "response: chunk: must be a chunk of a chat completion, not a number"),
        (
            {"type": "message_start", "message": {}},
            "response: chunk: must be a chunk of a chat completion, not an object without choices",
        ),
        ({"choices": {}}, "response: choices: must be an array, not an object"),
        ({"choices": [7]}, "response: choices[0]: must be an object, not a number"),
        ({"choices": [{"delta": []}]}, "response: choices[0].delta: must be an object, not an"),
        (
            a_chunk(tool_calls=["x"]),
            "response: choices[0].delta.tool_calls: must hold objects, not a string",
        ),
    ],
)
def test_what_is_no_chunk_is_refused_by_its_place(chunk: object, sentence: str) -> None:
    """One clear sentence names the field and what is wrong with it."""
    with pytest.raises(ResponseMalformed) as refused:
        CHAT.assembler().add(chunk)

    assert str(refused.value).startswith(sentence)


def odd_chunks() -> st.SearchStrategy[Any]:
    """Chunks with every field right, wrong or missing."""
    inner = st.fixed_dictionaries({}, optional={"name": JSON, "arguments": JSON, "input": JSON})
    piece = JSON | st.fixed_dictionaries(
        {}, optional={"index": JSON, "id": JSON, "function": inner | JSON, "custom": inner | JSON}
    )
    delta = JSON | st.fixed_dictionaries(
        {},
        optional={
            "role": JSON,
            "content": JSON,
            "reasoning_details": JSON,
            "audio": JSON,
            "tool_calls": st.lists(piece, max_size=3) | JSON,
        },
    )
    choice = JSON | st.fixed_dictionaries(
        {}, optional={"index": JSON, "delta": delta, "finish_reason": JSON, "message": delta}
    )
    return JSON | st.fixed_dictionaries(
        {"choices": st.lists(choice, max_size=2)}, optional={"error": JSON, "id": JSON}
    )


@settings(max_examples=40)
@given(st.lists(odd_chunks(), max_size=5))
def test_no_stream_breaks_the_assembler_or_the_reader(chunks: list[Any]) -> None:
    """It is put together and read, or refused in one sentence."""
    with contextlib.suppress(ResponseMalformed):
        CHAT.read(assemble(CHAT, chunks))


@pytest.mark.parametrize("depth", [100, 300, 900, 100_000])
def test_a_stream_may_be_nested_and_never_breaks_the_assembler(depth: int) -> None:
    """It is put together, or refused; nobody sees a RecursionError."""
    part = '{"type": "thinking", "thinking": [' * depth + "]}" * depth
    chunk = f'{{"choices": [{{"delta": {{"content": [{part}, {part}]}}}}]}}'

    with contextlib.suppress(ResponseMalformed):
        assert CHAT.read(assemble(CHAT, [chunk])).text == ""


def worst_stream(name: str) -> list[dict[str, Any]]:
    """A stream that costs much for its size."""
    one_text = a_piece("f", '{"' * 50_000, index=0, id="a")
    deltas: dict[str, list[dict[str, Any]]] = {
        "the name with each piece": [{"tool_calls": [a_piece("f", "{", index=0)]}] * 700,
        "many calls": [{"tool_calls": [a_piece("f", "{}", id=f"c{at}")]} for at in range(700)],
        "many parts": [{"content": [{"type": "text", "text": "x"}]}] * 700,
        "one long text": [{"tool_calls": [one_text]}, {"tool_calls": [a_piece("f", "", index=0)]}],
    }
    return [a_chunk(**delta) for delta in deltas[name]]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["the name with each piece", "many calls", "many parts", "one long text"]
)
def test_no_stream_takes_long(name: str) -> None:
    """50 ms for 10 KB are the limit; the worst are far below."""
    chunks = worst_stream(name)
    size = len(json.dumps(chunks))
    start = time.perf_counter()

    CHAT.read(assemble(CHAT, chunks))

    assert (time.perf_counter() - start) / size * 10_000 < 0.05
