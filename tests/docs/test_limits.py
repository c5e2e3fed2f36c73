"""The page on limits: its example runs."""

from __future__ import annotations

from pathlib import Path

from tests.docs.examples import run_example

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"


def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    """As it stands, in an empty folder."""
    printed = run_example(PAGE.read_text(encoding="utf-8"), tmp_path)

    assert printed == [
        "denied budget_exhausted",
        "The budget of this conversation, 20 units of cost, has not enough left for this call.",
    ]
