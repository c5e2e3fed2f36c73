"""The page on secrets: its example runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.examples import run_example
from toolferry_policies.redaction import MIN_KNOWN

PAGE = (Path(__file__).parents[2] / "docs" / "secrets.md").read_text(encoding="utf-8")


def test_the_example_prints_what_the_page_says(tmp_path: Path) -> None:
    """Line for line."""
    said = re.search(r"It prints:\n\n```\n(.*?)```", PAGE, re.DOTALL)

    lines = [line for line in run_example(PAGE, tmp_path) if "[debug" not in line]
    assert said
    assert lines == said[1].splitlines()


def test_the_page_tells_the_numbers_of_the_code() -> None:
    """How short a secret may be."""
    assert f"under {MIN_KNOWN} characters" in PAGE
