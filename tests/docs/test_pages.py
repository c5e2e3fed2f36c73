"""Pages with examples as at a prompt: all of them run as they stand."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from structlog.testing import capture_logs

PAGES = [
    page
    for page in sorted((Path(__file__).parents[2] / "docs").glob("*.md"))
    if "\n>>> " in page.read_text(encoding="utf-8")
    and page.stem != "conversation"  # needs a system: it has a test of its own
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run_as_they_stand(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a reader copies gives what the page says, beside the files that it shows."""
    text = page.read_text(encoding="utf-8")
    for name, content in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    with capture_logs():
        done = doctest.testfile(str(page), module_relative=False, encoding="utf-8")

    assert done.attempted > 5
    assert done.failed == 0
