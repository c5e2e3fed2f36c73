"""Every public noun has its meaning in the glossary."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

import pytest

import toolferry

PAGE = Path(__file__).parents[2] / "docs" / "glossary.md"
WORDS = PAGE.read_text(encoding="utf-8")
#: Public classes that are no nouns of the field: tables, options, machinery and errors.
OTHERS = {"ArgumentValidator", "CodeDefaults", "ToolOptions"}
NOUNS = sorted(
    name
    for name in toolferry.__all__
    if isinstance(value := getattr(toolferry, name), type)
    and not issubclass(value, Exception)
    and name not in OTHERS
)


@pytest.mark.parametrize("noun", NOUNS)
def test_a_public_noun_stands_in_the_glossary(noun: str) -> None:
    """As the code writes it."""
    assert f"`{noun}`" in WORDS


def test_every_word_has_one_line() -> None:
    """One word, one meaning."""
    words = [
        word
        for line in WORDS.splitlines()
        if line.startswith("| ") and not line.startswith("| word")
        for word in re.split(r", | \(", line.split("|")[1].strip().rstrip(")"))
    ]

    assert len(words) == len(set(words))


@pytest.mark.parametrize("kind", [toolferry.EffectClass, toolferry.Effect, toolferry.Outcome])
def test_the_members_of_a_closed_set_stand_in_the_glossary(kind: type[Enum]) -> None:
    """They are words too."""
    assert all(str(member.value) in WORDS for member in kind)
