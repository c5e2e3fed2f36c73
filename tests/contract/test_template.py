"""Templates over arguments."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry.template import fill, find, places, unknown_places


def filled(template: str, arguments: dict[str, Any]) -> str:
    """Fill a template with arguments."""
    return fill(template, lambda place: find(arguments, place))


def test_a_template_shows_texts_bare_and_all_else_as_json() -> None:
    """People read a path without quotes."""
    said = filled("{path}: {limit}, {flags}", {"path": "a.txt", "limit": 3, "flags": [True]})

    assert said == "a.txt: 3, [true]"


def test_a_template_shortens_long_texts_and_joins_lines() -> None:
    """A display is one line."""
    said = filled("Write {text}", {"text": "one\ntwo " + "x" * 500})

    assert said.startswith("Write one two x")
    assert len(said) <= 90
    assert said.endswith("…")


def test_a_template_understands_no_attributes() -> None:
    """Arguments cannot reach into Python's objects."""
    assert filled("{a.__class__} {a[0]}", {"a": "x"}) == "… …"


def test_what_stands_in_an_argument_is_not_filled_again() -> None:
    """A model that writes a place gets its braces shown."""
    assert filled("Read {path}", {"path": "{token}", "token": "hunter2"}) == "Read {token}"


def test_the_places_of_a_template_are_listed_once() -> None:
    """A place that stands twice is one."""
    assert places("{a} {b.c} {a}") == ("a", "b.c")


@pytest.mark.parametrize(
    ("where", "known"),
    [
        ({"properties": {"row": {}}}, True),
        ({"properties": {"table": {}}}, False),
        ({"$ref": "#/$defs/Row"}, True),
        ({"$ref": "#/$defs/Table"}, False),
        ({"anyOf": [{"$ref": "#/$defs/Table"}, {"type": "null"}]}, True),
        ({"properties": {"table": {}}, "$ref": "#/$defs/Row"}, True),
        ({"type": "object"}, True),
        (True, True),
    ],
)
def test_a_place_inside_an_object_is_known_where_the_schema_names_its_members(
    where: Any, *, known: bool
) -> None:
    """What the schema leaves open may be there."""
    schema = {
        "properties": {"where": where},
        "$defs": {"Row": {"properties": {"row": {}}}, "Table": {"properties": {"table": {}}}},
    }

    assert unknown_places("{where.row}", schema) == (() if known else ("where.row",))
