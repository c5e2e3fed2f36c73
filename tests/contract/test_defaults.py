"""Filling in the defaults of a schema."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry.defaults import fill_defaults

LIMIT = {"properties": {"limit": {"default": 10}}}


@pytest.mark.parametrize(
    ("schema", "given", "filled"),
    [
        (LIMIT, {}, {"limit": 10}),
        (LIMIT, {"limit": None}, {"limit": None}),
        ({"properties": {"page": LIMIT}}, {"page": {}}, {"page": {"limit": 10}}),
        ({"properties": {"page": LIMIT}}, {}, {}),
        ({"properties": {"pages": {"items": LIMIT}}}, {"pages": [{}]}, {"pages": [{"limit": 10}]}),
        (
            {"properties": {"pair": {"prefixItems": [{}, LIMIT], "items": LIMIT}}},
            {"pair": [{}, {}, {}]},
            {"pair": [{}, {"limit": 10}, {"limit": 10}]},
        ),
        ({"allOf": [LIMIT, {"properties": {"a": {"default": 1}}}]}, {}, {"limit": 10, "a": 1}),
        ({"$ref": "#/$defs/L", "$defs": {"L": LIMIT}}, {}, {"limit": 10}),
        ({"anyOf": [LIMIT, {}]}, {}, {}),
        ({"properties": {"a": True, "b": False}}, {"a": {}}, {"a": {}}),
        ({"properties": {"a": {"properties": {"b": {"default": 1}}}}}, {"a": "x"}, {"a": "x"}),
    ],
)
def test_defaults_are_filled_where_they_surely_apply(
    schema: dict[str, Any], given: dict[str, Any], filled: dict[str, Any]
) -> None:
    """At every depth, through references, and never by a guess."""
    assert fill_defaults(schema, given) == filled


def test_a_default_is_taken_as_it_stands() -> None:
    """A schema that refers to itself for a default member fills one level, not endlessly many."""
    node = {"properties": {"child": {"$ref": "#", "default": {}}}}

    assert fill_defaults(node, {}) == {"child": {}}
    assert fill_defaults(node, {"child": {}}) == {"child": {"child": {}}}


def test_schemas_that_refer_to_each_other_are_looked_at_once() -> None:
    """A detour that leads back ends."""
    schema = {"allOf": [{"$ref": "#"}], "properties": {"a": {"default": 1}}}

    assert fill_defaults(schema, {}) == {"a": 1}
