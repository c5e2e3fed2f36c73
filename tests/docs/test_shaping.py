"""The page about shaping: its examples run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

from structlog.testing import capture_logs

PAGE = Path(__file__).parents[2] / "docs" / "shaping.md"


def test_the_examples_of_the_page_run_as_they_stand() -> None:
    """What a reader copies gives what the page says."""
    with capture_logs():
        done = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")

    assert done.attempted > 10
    assert done.failed == 0
