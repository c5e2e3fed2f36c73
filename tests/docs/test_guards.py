"""The page about guards: it tells every rule."""

from __future__ import annotations

from pathlib import Path

from toolferry_policies import rules

PAGE = Path(__file__).parents[2] / "docs" / "guards.md"


def test_every_ready_rule_is_on_the_page() -> None:
    """As a row of the table."""
    text = PAGE.read_text(encoding="utf-8")

    assert all(f"| `{name}(" in text for name in rules.__all__ if name != "Rule")
