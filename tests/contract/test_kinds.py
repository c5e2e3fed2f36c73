"""What kinds and values a schema allows, and how little it costs to ask."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.counting import calls_in
from toolferry import Tool
from toolferry.kinds import EVERY_KIND, kinds_of, members_of

INTEGER = {"type": "integer"}
TEXT = {"type": "string"}


def tool_of(schema: dict[str, Any], **definitions: Any) -> Tool:
    """A tool with one member."""
    return Tool(name="any", parameters={"properties": {"a": schema}, "$defs": definitions})


def ladder(levels: int, width: int, last: dict[str, Any]) -> Tool:
    """A tool whose member has as many alternatives at each of its levels, all of them alike."""
    steps = {f"k{n}": {"anyOf": [{"$ref": f"#/$defs/k{n + 1}"}] * width} for n in range(levels)}
    return tool_of({"$ref": "#/$defs/k0"}, **steps, **{f"k{levels}": last})


def member(tool: Tool) -> Any:
    """The schema of that member."""
    return tool.parameters["properties"]["a"]


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        ({}, EVERY_KIND),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"type": "number"}, {"integer", "number"}),
        ({"enum": ["a", 1.5, [], {}, None, True]}, EVERY_KIND - {"integer"}),
        ({"allOf": [{"type": ["string", "null"]}, {"type": ["null", "array"]}]}, {"null"}),
        ({"oneOf": [TEXT, False]}, {"string"}),
        ({"$ref": "#/$defs/d"}, {"integer"}),
        ({"$dynamicRef": "#d"}, {"integer"}),
    ],
)
def test_a_schema_allows_what_all_its_parts_allow(schema: Any, kinds: set[str]) -> None:
    """By types, values, alternatives and references of both kinds."""
    tool = tool_of(schema, d={"$dynamicAnchor": "d", **INTEGER})

    assert kinds_of(tool, member(tool)) == kinds


@pytest.mark.parametrize(
    ("schema", "members"),
    [
        ({"enum": [1, "a"]}, [1, "a"]),
        ({"enum": []}, []),
        ({"oneOf": [{"const": 2}, {"enum": ["b"]}, {"const": 1}]}, [2, "b", 1]),
        ({"anyOf": [{"const": 2}, TEXT]}, None),
        ({"anyOf": [{"const": 2}, True]}, None),
        ({"$ref": "#/$defs/d"}, [7]),
        ({"$dynamicRef": "#d"}, [7]),
    ],
)
def test_the_values_are_given_where_a_schema_lists_all(schema: Any, members: Any) -> None:
    """In their order; else nothing is."""
    tool = tool_of(schema, d={"$dynamicAnchor": "d", "const": 7})

    assert members_of(tool, member(tool)) == members


@pytest.mark.parametrize("ask", [kinds_of, members_of])
def test_each_schema_is_looked_at_once(ask: Any) -> None:
    """However many alternatives lead to it; the second time, nothing is."""
    steps = []
    for levels in (2, 4, 8):
        tool = ladder(levels, 6, {"enum": [1, 2]})
        steps.append(calls_in(partial(ask, tool, member(tool))))

    assert steps[2] - steps[1] < 3 * (steps[1] - steps[0])
    assert calls_in(partial(ask, tool, member(tool))) < 100


def test_levels_are_no_matter() -> None:
    """As many as a schema may have are followed to the last one."""
    tool = ladder(45, 1, {"enum": [1, 2]})

    assert kinds_of(tool, member(tool)) == {"integer", "number"}
    assert members_of(tool, member(tool)) == [1, 2]
