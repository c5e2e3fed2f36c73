"""docs/operations.md: what the settings are, and what the doctor looks at, as the code has it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from toolferry_console.checkup import check_up
from toolferry_ledger import Keeping, Settings
from toolferry_ledger.keeping import variable_of

PAGE = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
CHECKS = PAGE.partition("\n## Where the server is")[0]
TIMES = PAGE.partition("## How long things are kept")[2].partition("\n## Memory")[0]
#: By variable: what it means, and its default.
ROWS = {
    cells[0].strip("`"): (cells[1], cells[2])
    for cells in (
        [cell.strip() for cell in line.strip("| ").split(" | ")]
        for line in TIMES.splitlines()
        if line.startswith("| `TOOLFERRY_")
    )
}


def test_every_time_of_a_system_is_on_the_page() -> None:
    """And no other."""
    assert list(ROWS) == [variable_of(field.name) for field in fields(Keeping)]


@pytest.mark.parametrize("field", fields(Keeping), ids=lambda field: field.name)
def test_the_default_on_the_page_is_the_default(field: object) -> None:
    """As a number of seconds, or of faults."""
    name = getattr(field, "name", "")

    told = ROWS[variable_of(name)][1]

    assert float(told.partition(" ")[0]) == getattr(Keeping(), name)


def test_the_table_of_checks_is_that_of_the_doctor(settings: Settings) -> None:
    """In the same order; none is missing, none is made up."""
    checks = re.findall(r"^\| `(\w+)` \|", CHECKS, re.MULTILINE)

    looked_at = dict.fromkeys(remark.about for remark in check_up(settings.environment()).remarks)

    assert checks == list(looked_at)
