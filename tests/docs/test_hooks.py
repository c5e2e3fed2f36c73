"""The page about hooks: its examples run as they stand, and its numbers are those of the code."""

from __future__ import annotations

import doctest
from pathlib import Path

from structlog.testing import capture_logs

from toolferry.fact_provider import DEFAULT_LOOK_UP
from toolferry.hooks import DEFAULT_HOOK
from toolferry_dispatcher.observing import LAST_WORDS
from toolferry_ledger.consulting import MAX_FACT

PAGE = Path(__file__).parents[2] / "docs" / "hooks.md"


def test_the_examples_of_the_page_run_as_they_stand() -> None:
    """What a reader copies gives what the page says."""
    with capture_logs():
        done = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")

    assert done.attempted > 10
    assert done.failed == 0


def test_the_page_tells_the_numbers_of_the_code() -> None:
    """The limits."""
    text = PAGE.read_text(encoding="utf-8")

    assert DEFAULT_LOOK_UP == DEFAULT_HOOK
    assert f"`within`, {DEFAULT_LOOK_UP:g} s" in text
    assert f"for up to {LAST_WORDS:g} s" in text
    assert f"more than {MAX_FACT // 1024} KiB" in text
