"""The page about guards: its examples run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

from structlog.testing import capture_logs

from toolferry_policies import rules

PAGE = Path(__file__).parents[2] / "docs" / "guards.md"


def test_the_examples_of_the_page_run_as_they_stand() -> None:
    """What a reader copies gives what the page says."""
    with capture_logs():
        done = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")

    assert done.attempted > 5
    assert done.failed == 0


def test_every_ready_rule_is_on_the_page() -> None:
    """As a row of the table."""
    text = PAGE.read_text(encoding="utf-8")

    assert all(f"| `{name}(" in text for name in rules.__all__ if name != "Rule")
