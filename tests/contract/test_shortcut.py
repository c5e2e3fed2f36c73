"""The shortcut never says of anything that it fits which jsonschema would refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolferry import ArgumentValidator
from toolferry.formats import FORMAT_CHECKER
from toolferry.integers import ExactValidator
from toolferry.shortcut import shortcut

SCALARS = st.sampled_from(
    [None, True, False, 0, 1, 1.0, 2, -1, 2.5, "", "a", "ab", "1", "2025-11-29", 2**60]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=6,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
SMALL = st.integers(0, 2)


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw schemas of one to four keywords that may hold each other."""
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "$ref": st.just("#/$defs/D"),
        "additionalProperties": inner,
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "const": VALUES,
        "dependentRequired": st.just({"a": ["b"]}),
        "enum": st.lists(VALUES, max_size=3),
        "exclusiveMaximum": SMALL,
        "exclusiveMinimum": SMALL,
        "format": st.sampled_from(["date", "unknown"]),
        "items": inner,
        "maxItems": SMALL,
        "maxLength": SMALL,
        "maxProperties": SMALL,
        "maximum": SMALL,
        "minItems": SMALL,
        "minLength": SMALL,
        "minProperties": SMALL,
        "minimum": SMALL,
        "multipleOf": st.just(2),
        "not": inner,
        "oneOf": st.lists(inner, min_size=1, max_size=2),
        "pattern": st.sampled_from(["^a", "b"]),
        "patternProperties": inner.map(lambda schema: {"^a": schema}),
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
        "required": st.lists(st.sampled_from("abc"), unique=True, max_size=2),
        "title": st.just("T"),
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
        "uniqueItems": st.booleans(),
    }
    names = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=4, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({n: keywords[n] for n in chosen}))


SCHEMAS = st.recursive(st.booleans() | schemas(st.booleans()), schemas, max_leaves=4)


@settings(max_examples=300, deadline=None)
@given(SCHEMAS, schemas(st.booleans()).filter(lambda one: "$ref" not in one), st.lists(VALUES))
def test_what_the_shortcut_lets_pass_is_valid(
    schema: Any, definition: Any, values: list[Any]
) -> None:
    """It may miss what fits, and never lets pass what does not."""
    whole = {"allOf": [schema], "$defs": {"D": definition}}
    judge = ExactValidator(whole, format_checker=FORMAT_CHECKER)
    fits = shortcut(whole)

    assert all(judge.is_valid(value) for value in values if fits(value))


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": [1]}, True),
        ({"enum": [True]}, 1),
        ({"enum": [0]}, False),
        ({"enum": [[1]]}, [True]),
        ({"const": 1}, True),
        ({"type": "integer"}, True),
        ({"type": "integer"}, 1.5),
        ({"type": "integer"}, 2.0**53),
        ({"type": "number"}, False),
        ({"type": ["integer", "null"]}, "1"),
        ({"minimum": 1}, 0),
        ({"format": "date"}, "x"),
        ({"additionalProperties": False}, {"a": 1}),
        ({"required": ["a"]}, {}),
        ({"patternProperties": {"^a": {"type": "null"}}}, {"a": 1}),
        ({"unheard": 1}, 1),
        (False, 1),
    ],
)
def test_the_shortcut_does_not_let_pass(schema: Any, value: Any) -> None:
    """Python's truths are not JSON's, and what is not understood is left to jsonschema."""
    assert not shortcut({"allOf": [schema]})(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": [1, "a", None]}, 1.0),
        ({"type": "integer"}, 1.0),
        ({"type": ["integer", "null"]}, None),
        ({"const": "a"}, "a"),
        ({"anyOf": [{"type": "null"}, {"pattern": "^a"}]}, "ab"),
        ({"items": {"maxLength": 1}, "minItems": 1}, ["a"]),
        (
            {"properties": {"a": {"$ref": "#"}}, "additionalProperties": {"type": "null"}},
            {"b": None},
        ),
        (True, 1),
        ({"format": "unknown", "title": "T", "default": 1}, "x"),
        ({"minLength": 5, "minimum": 5, "minProperties": 5, "required": ["a"]}, None),
    ],
)
def test_the_shortcut_lets_pass(schema: Any, value: Any) -> None:
    """The everyday keywords are understood; each is about its own type."""
    assert shortcut({"allOf": [schema]})(value)


def test_a_recursive_schema_is_compiled_once_and_followed() -> None:
    """A reference that leads back to itself ends with the value."""
    node = {"properties": {"child": {"$ref": "#"}, "n": {"type": "integer"}}}
    fits = shortcut(node)

    assert fits({"child": {"child": {"n": 1}}})
    assert not fits({"child": {"child": {"n": "x"}}})


def test_the_shortcut_spares_jsonschema_the_common_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arguments of a usual tool that fit are never walked by it."""
    validator = ArgumentValidator(
        "sample",
        {
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1},
                "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
                "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
                "since": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
    )

    def walked(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(ExactValidator, "iter_errors", walked)
    given_ = {"query": "x", "limit": 5, "tags": ["a"], "since": "2025-11-29"}
    assert validator.faults(given_) == ()
