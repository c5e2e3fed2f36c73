"""The page about policies: it tells all that a file may say."""

from __future__ import annotations

import re
from pathlib import Path

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


def test_the_page_tells_every_key_of_the_file() -> None:
    """What can be written can be read about."""
    forms = (Declaration, Overrides, Condition, Comparison, ProfileEntry)

    missing = [key for form in forms for key in form.model_fields if key not in TEXT]

    assert missing == []


def test_the_page_tells_the_checks_in_their_order() -> None:
    """The order is part of what an operator relies on."""
    told = re.findall(r"(?:^|, )\d+\. `(\w+)`", TEXT.split("<!-- checks -->")[1], re.MULTILINE)

    assert told == [name_of(check) for check in CHECKS]
