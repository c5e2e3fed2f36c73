"""Integers that came as floats are taken when they are exact, and refused when they may not be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import parse_arguments, schema_error

MEMBER = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


@pytest.mark.parametrize("text", ["7", "7.0", "-7e0", "9007199254740991.0", "9007199254740993"])
def test_an_exact_integer_is_taken(text: str) -> None:
    """However it is written; digits alone may be as many as they are."""
    arguments = parse_arguments(f'{{"id": {text}}}')

    assert made(MEMBER).validator.faults(arguments) == ()
    assert arguments["id"] == int(float(text)) or str(arguments["id"]) == text


@pytest.mark.parametrize(
    "text",
    ["9007199254740993.0", "9007199254740992.0", "-9007199254740993.0", "9.007199254740993e15"],
)
def test_an_integer_that_reading_has_rounded_is_refused(text: str) -> None:
    """The record with the next number would be another one."""
    faults = made(MEMBER).validator.faults(parse_arguments(f'{{"id": {text}}}'))

    error = schema_error("sample", faults)
    assert [fault.path for fault in faults] == ["id"]
    assert "expected integer" in error.message


@pytest.mark.parametrize(
    "schema", [{"type": ["integer", "null"]}, {"anyOf": [{"type": "integer"}, {"type": "null"}]}]
)
def test_it_is_refused_wherever_an_integer_stands(schema: dict[str, Any]) -> None:
    """In lists of types and in alternatives, too; a number may be rounded."""
    any_number = made({"type": "object", "properties": {"id": {"type": "number"}}})
    member = made({"type": "object", "properties": {"id": schema}})

    assert member.validator.faults({"id": 2.0**60})
    assert not any_number.validator.faults({"id": 2.0**60})
