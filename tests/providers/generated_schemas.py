"""Schemas of every shape that a tool may have, for generated tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "type", "const", "$ref", "Content-Type", "größe", "x" * 70, "1st"])
VALUES = st.sampled_from([None, True, False, 0, 1, "1", "a", "", 1.5])
TEXTS = st.sampled_from(["", "A thing."])
REFERENCES = st.sampled_from(["#/$defs/A", "#/definitions/b~1c", "#/$defs/C", "#"])
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["string", "integer", "number", "boolean", "null", ["string", "null"], ["integer"]]
        ),
        "description": TEXTS,
        "enum": st.lists(VALUES, min_size=1, max_size=3, unique_by=repr),
        "const": VALUES,
        "default": VALUES,
        "format": st.sampled_from(["date", "uri", "made-up"]),
        "pattern": st.sampled_from(["^a", "(?=b)c"]),
        "minimum": st.integers(-2, 2),
        "exclusiveMinimum": st.sampled_from([0, 0.5]),
        "exclusiveMaximum": st.integers(5, 9),
        "minLength": st.integers(0, 2),
        "examples": st.lists(VALUES, max_size=2),
        "title": TEXTS,
        "x-made-up": VALUES,
    },
)


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    optional = {
        "type": st.sampled_from(["object", ["object", "null"]]),
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "additionalProperties": inner | st.booleans(),
        "patternProperties": st.dictionaries(st.just("^x"), inner, max_size=1),
        "description": TEXTS,
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "allOf": st.lists(inner, min_size=1, max_size=2),
    }
    return st.fixed_dictionaries({}, optional=optional)


def _arrays(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    optional = {
        "items": inner | st.booleans(),
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "minItems": st.integers(0, 3),
        "uniqueItems": st.booleans(),
        "contains": inner,
    }
    return st.fixed_dictionaries({"type": st.just("array")}, optional=optional)


def _compositions(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    several = st.lists(inner | st.booleans(), min_size=1, max_size=3)
    optional = {
        "anyOf": several,
        "oneOf": several,
        "allOf": several,
        "not": inner,
        "if": inner,
        "$ref": REFERENCES,
        "description": TEXTS,
        "type": st.sampled_from(["string", "object", ["object", "string"]]),
    }
    return st.fixed_dictionaries({}, optional=optional)


PARTS = st.recursive(
    LEAVES,
    lambda inner: _objects(inner) | _arrays(inner) | _compositions(inner),
    max_leaves=8,
)
#: Parameters with definitions that refer to each other and to themselves; some never end.
PARAMETERS: st.SearchStrategy[dict[str, Any]] = st.builds(
    lambda root, a, b, c: {**root, "$defs": {"A": a, "C": c}, "definitions": {"b/c": b}},
    _objects(PARTS) | _compositions(_objects(PARTS)),
    PARTS,
    PARTS,
    PARTS,
)
