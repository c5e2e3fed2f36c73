"""The official test suite of JSON Schema: what it says of each value, we say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toolferry.integers import is_whole
from toolferry.judging import Judge
from toolferry.schema import schema_faults

SUITE = sorted((Path(__file__).parent / "suite").glob("*.json"))
#: Why a schema of the suite may be refused: words of the reason.
REFUSED = ("has an $id of its own", "leaves the schema", "is not a 'regex'")


def groups(file: Path) -> list[dict[str, Any]]:
    """Read the schemas of one file, each with its cases."""
    read: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return read


def reasons(schema: Any) -> list[str]:
    """Say why a schema is refused."""
    return list(schema_faults(schema)) if isinstance(schema, dict) else []


@pytest.mark.parametrize("file", SUITE, ids=lambda file: file.stem)
def test_every_value_is_judged_as_the_suite_says(file: Path) -> None:
    """And where it does not fit, there is something to tell."""
    wrong = [
        f"{group['description']}: {case['description']}"
        for group in groups(file)
        if not reasons(group["schema"])
        for judge in [Judge(group["schema"], is_whole)]
        for case in group["tests"]
        if {judge.fits(case["data"]), not judge.misfits(case["data"])} != {case["valid"]}
    ]

    assert wrong == []


def test_few_schemas_are_refused_and_for_known_reasons() -> None:
    """Nothing is fetched, a document is one, and patterns are Python's."""
    told = [reasons(group["schema"]) for file in SUITE for group in groups(file)]
    refused = [reason for reason in told if reason]

    assert all(any(word in text for word in REFUSED for text in reason) for reason in refused)
    assert len(refused) < len(told) / 6
