"""Texts that can be shown: nothing in them steers a terminal or hides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolferry.legible import legible, one_line, value_line

UNKNOWN = "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    "harmful",
    ["\x1b", "\x00", "\x07", "\x9b", "\x7f", "\r", "\u202e", "\u2066", "\ufeff", "\ud83d"],
)
def test_a_harmful_character_is_shown_as_unknown(harmful: str) -> None:
    """Escapes, bells, marks of direction, half characters."""
    assert legible(f"a{harmful}b") == f"a{UNKNOWN}b"


@pytest.mark.parametrize("text", ["größer", "读取", "a\tb\nc", "👩\u200d🚀", "नमस्ते"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """In any script, with its joiners."""
    assert legible(text) == text


@given(st.text(), st.integers(2, 40))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    """Whatever it is made of."""
    line = one_line(text, limit)

    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert line == legible(line)


def test_a_cut_shows_also_where_only_blanks_were_looked_at() -> None:
    """The rest of the text is not silently dropped."""
    assert one_line("a" + " " * 1_000 + "b", 20) == "a …"


def test_a_value_is_one_line_too() -> None:
    """JSON escapes some controls, the rest is replaced."""
    assert value_line({"a": "\x1b\x9b"}, 40) == '{"a": "\\u001b' + UNKNOWN + '"}'
