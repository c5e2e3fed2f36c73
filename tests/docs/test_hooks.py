"""The page about hooks: its numbers are those of the code."""

from __future__ import annotations

from pathlib import Path

from toolferry.fact_provider import DEFAULT_LOOK_UP
from toolferry.hooks import DEFAULT_HOOK
from toolferry_dispatcher.observing import LAST_WORDS
from toolferry_ledger.consulting import MAX_FACT

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"


def test_the_page_tells_the_numbers_of_the_code() -> None:
    """The limits."""
    text = PAGE.read_text(encoding="utf-8")

    assert DEFAULT_LOOK_UP == DEFAULT_HOOK
    assert f"`within`, {DEFAULT_LOOK_UP:g} s" in text
    assert f"for up to {LAST_WORDS:g} s" in text
    assert f"more than {MAX_FACT // 1024} KiB" in text
