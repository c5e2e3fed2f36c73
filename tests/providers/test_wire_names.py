"""Wire names by the thousand: legal for every provider, each its own, and found again."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from toolferry_dispatcher.providers import find_name, provider

NAMES = 10_000
SIGNS = "abcdeXYZ019_-./: ßé検索🙂"
LEGAL = {
    "openai-chat": r"[a-zA-Z0-9_-]{1,64}",
    "openai-responses": r"[a-zA-Z0-9_-]{1,64}",
    "anthropic": r"[a-zA-Z0-9_-]{1,64}",
    "bedrock-converse": r"[a-zA-Z0-9_-]{1,64}",
    "deepseek": r"[a-zA-Z0-9_-]{1,64}",
    "gemini": r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}",
    "cohere-v2": r"[a-zA-Z0-9_-]{1,64}",
}


def generated() -> Iterator[str]:
    """Give names with dots, slashes and other letters, long ones, and ones that differ little."""
    rng = random.Random(6)  # noqa: S311 -- the same names every time
    while True:
        stem = "".join(rng.choices(SIGNS, k=rng.choice([1, 3, 8, 20, 63, 64, 65, 120, 256])))
        yield from {stem, stem.replace(".", "/"), stem[:-1] + "a", f"mcp.{stem}"[:256]}


def names() -> list[str]:
    """Give 10,000 different names that a tool may have."""
    found: dict[str, None] = {}
    for name in generated():
        if name.strip():
            found[name] = None
        if len(found) == NAMES:
            break
    return list(found)


@pytest.mark.parametrize("name", LEGAL)
def test_ten_thousand_names_are_legal_and_stay_apart(name: str) -> None:
    """Whatever their order, and whatever other names there are."""
    wire_name, known = provider(name).wire_name, names()

    by_wire = {wire_name(one): one for one in known}
    backwards = {wire_name(one): one for one in reversed(known)}

    assert len(by_wire) == NAMES
    assert backwards == by_wire
    assert all(re.fullmatch(LEGAL[name], one) for one in by_wire)


@pytest.mark.parametrize("name", LEGAL)
def test_every_one_of_them_is_found_again(name: str) -> None:
    """By its wire name, and by its own; a hundred of them stand for the others."""
    wire_name, known = provider(name).wire_name, names()[:: NAMES // 100]

    for one in known:
        assert find_name(wire_name(one), known, wire_name) == one
        assert find_name(one, known, wire_name) == one
