"""A sample of a tool's arguments: what it is made of, and how little making it costs."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.counting import calls_in
from toolferry import Tool
from toolferry.sample import sample_of

TEXT = {"type": "string"}


def tool_of(schema: dict[str, Any], **definitions: Any) -> Tool:
    """A tool with one required member."""
    parameters = {"properties": {"a": schema}, "required": ["a"], "$defs": definitions}
    return Tool(name="any", parameters=parameters)


def test_references_of_both_kinds_are_followed() -> None:
    """As what judges arguments does."""
    level = {"$dynamicAnchor": "level", "enum": [3, 4]}

    assert sample_of(tool_of({"$ref": "#level"}, level=level)) == {"a": 3}
    assert sample_of(tool_of({"$dynamicRef": "#level"}, level=level)) == {"a": 3}


def test_arrays_of_arrays_make_no_more_than_is_shown() -> None:
    """Eight elements at each of six levels would be a quarter of a million."""
    schema: dict[str, Any] = TEXT
    for _ in range(6):
        schema = {"type": "array", "minItems": 8, "items": schema}
    tool = tool_of(schema)
    assert tool.validator.faults({"a": []})

    assert calls_in(partial(sample_of, tool)) < 2_000
    assert sample_of(tool) is None


def test_each_schema_is_made_once_a_level() -> None:
    """However many members lead to it."""

    def of(target: str) -> dict[str, Any]:
        members = {f"m{n}": {"$ref": f"#/$defs/{target}"} for n in range(20)}
        return {"type": "object", "properties": members, "required": [*members]}

    tool = tool_of({"$ref": "#/$defs/d0"}, d0=of("d1"), d1=of("d2"), d2=of("d3"), d3=of("d3"))
    tool.validator.faults({})

    assert calls_in(partial(sample_of, tool)) < 2_000


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "writeOnly": True, "default": "hunter2"},
        {"writeOnly": True, "examples": ["hunter2"]},
        {"writeOnly": True, "enum": ["hunter2"]},
        {"format": "password", "$ref": "#/$defs/known"},
        {"anyOf": [{"type": "string", "writeOnly": True}], "default": "hunter2"},
        {
            "type": "object",
            "properties": {"token": {"writeOnly": True}},
            "default": {"token": "hunter2"},
        },
    ],
)
def test_no_sample_tells_what_a_secret_is(schema: dict[str, Any]) -> None:
    """A placeholder stands there, or there is no sample."""
    tool = tool_of(schema, known={"const": "hunter2"})

    assert "hunter2" not in repr(sample_of(tool))
