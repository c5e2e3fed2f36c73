"""The page about policies: its examples run as they stand, beside the file that it shows."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from toolferry_policies import CHECKS, name_of
from toolferry_policies.declared.declaration import (
    Comparison,
    Condition,
    Declaration,
    Overrides,
    ProfileEntry,
)

PAGE = Path(__file__).parents[2] / "docs" / "policies.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_examples_of_the_page_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a reader copies gives what the page says."""
    found = re.search(r"<!-- file: (\S+) -->\n```toml\n(.*?)```", TEXT, re.DOTALL)
    assert found
    (tmp_path / found[1]).write_text(found[2])
    monkeypatch.chdir(tmp_path)

    with capture_logs():
        done = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")

    assert done.attempted > 10
    assert done.failed == 0


def test_the_page_tells_every_key_of_the_file() -> None:
    """What can be written can be read about."""
    forms = (Declaration, Overrides, Condition, Comparison, ProfileEntry)

    missing = [key for form in forms for key in form.model_fields if key not in TEXT]

    assert missing == []


def test_the_page_tells_the_checks_in_their_order() -> None:
    """The order is part of what an operator relies on."""
    told = re.findall(r"(?:^|, )\d+\. `(\w+)`", TEXT.split("<!-- checks -->")[1], re.MULTILINE)

    assert told == [name_of(check) for check in CHECKS]
