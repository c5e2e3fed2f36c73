"""Pieces of streamed calls from servers that give ids, or leave them out, as they like."""

from __future__ import annotations

from typing import Any

import pytest

from tests.providers.openai_chunks import a_chunk, a_piece
from toolferry_dispatcher.providers import assemble, provider


def _calls_of(*deltas: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    chat = provider("openai-chat")
    chunks = [a_chunk(tool_calls=pieces) for pieces in deltas]
    reply = chat.read(assemble(chat, [*chunks, a_chunk("tool_calls")]))
    assert all(read.fault is None for read in reply.calls)
    return [(read.call.name, dict(read.call.arguments)) for read in reply.calls]


def test_an_id_made_anew_for_each_piece_makes_no_calls_of_them() -> None:
    """A piece of arguments without a name begins none while those at its place go on."""
    assert _calls_of(
        [a_piece("f", "", index=0, id="r1")],
        [a_piece(None, '{"x":', index=0, id="r2")],
        [a_piece(None, "1}", index=0, id="r3")],
        [a_piece("g", '{"y":', index=1, id="r4")],
        [a_piece(None, "2}", index=1, id="r5")],
    ) == [("f", {"x": 1}), ("g", {"y": 2})]


@pytest.mark.parametrize("place", [{}, {"index": 0}])
def test_names_that_stand_beside_each_other_are_two_calls(place: dict[str, Any]) -> None:
    """Also where neither has arguments that would tell that the first one is whole."""
    assert _calls_of([a_piece("f", "", **place), a_piece("g", "", **place)]) == [
        ("f", {}),
        ("g", {}),
    ]


@pytest.mark.parametrize(
    ("field", "odd", "piece", "whole"),
    [
        ("content", 0, "x", "x"),
        ("reasoning_details", "", [{"type": "t"}], [{"type": "t"}]),
        ("audio", {"data": 1}, {"data": "x"}, {"data": "x"}),
        (
            "reasoning_details",
            [{"type": "t", "text": True}],
            [{"type": "t", "text": "x"}],
            [{"type": "t", "text": "x"}],
        ),
    ],
)
def test_what_is_no_piece_gives_way_to_one(field: str, odd: Any, piece: Any, whole: Any) -> None:
    """Some servers fill a field before its first piece with something of another type."""
    assembled = assemble(
        provider("openai-chat"), [a_chunk(**{field: odd}), a_chunk(**{field: piece})]
    )

    assert assembled["choices"][0]["message"][field] == whole
