"""docs/arguments.md: every repair, before and after, as the code makes it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from toolferry import Repair, Repairs, Tool
from toolferry.repairing import fit_arguments, read_text

PAGE = (Path(__file__).parents[2] / "docs" / "arguments.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| (?:`+ ?)?(.+?)(?: ?`+)? \| `?(.+?)`? \|$", PAGE, re.MULTILINE)
TOOL = Tool(
    name="sample",
    parameters={
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "open": {"type": "boolean"},
            "note": {"type": "string"},
            "level": {"enum": [1, 2, 3]},
        },
    },
)


def test_the_page_has_every_repair() -> None:
    """And no other one."""
    assert {name for name, _, _ in ROWS} == set(Repair)


@pytest.mark.parametrize(("name", "came", "taken"), ROWS)
def test_a_repair_does_what_the_page_says(name: str, came: str, taken: str) -> None:
    """By that repair alone, and not without it."""
    given = {"id": 7} if came.startswith("an object") else came
    wanted = {"id": 7} if came.startswith("an object") else json.loads(taken)
    read = read_text(given)
    fitted = fit_arguments(TOOL, read.arguments, Repairs.ALL)

    assert fitted.arguments == wanted
    assert (*read.repairs, *fitted.repairs) == (name,)
    assert fit_arguments(TOOL, read.arguments, Repairs.NONE).repairs == ()
