"""Which schemas are taken, and what is said of the others."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import Registry, SchemaInvalid
from toolferry.references import resolve
from toolferry.schema import check_schema
from toolferry.subschemas import walk


def refused(schema: dict[str, Any]) -> str:
    """Register a tool with a bad schema and give what is said."""
    with pytest.raises(SchemaInvalid) as caught:
        Registry().register(made(schema))
    return str(caught.value)


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({"properties": {"a": {"type": "strin"}}}, "the schema at #/properties/a/type is no JSON"),
        ({"properties": {"a": {"minimum": "1"}}}, "the schema at #/properties/a/minimum"),
        ({"properties": {"a": {"pattern": "("}}}, "the schema at #/properties/a/pattern"),
        ({"properties": {"a/b": {"items": []}}}, "the schema at #/properties/a~1b/items"),
        ({"required": "a"}, "the schema at #/required"),
        ({"properties": []}, "the schema at #/properties"),
        ({"type": "array"}, "the schema at # must be an object schema"),
        ({"type": ["object", "null"]}, "the schema at # must be an object schema"),
        ({"oneOf": [{"type": "string"}]}, "the schema at # must be an object schema"),
        ({"$ref": "#/$defs/L", "$defs": {"L": {"type": "array"}}}, "the schema at # must be an ob"),
    ],
)
def test_a_bad_schema_is_refused_with_the_path_of_its_fault(
    schema: dict[str, Any], sentence: str
) -> None:
    """The developer finds the place at once."""
    assert sentence in refused(schema)


@pytest.mark.parametrize(
    "reference", ["https://example.org/schema.json", "other.json#/a", "//example.org", "file:///x"]
)
def test_a_reference_to_elsewhere_is_refused_and_never_fetched(reference: str) -> None:
    """Nothing outside of the schema is ever looked at."""
    said = refused({"properties": {"a": {"$ref": reference}}})

    assert "the reference at #/properties/a/$ref leaves the schema, and nothing is ever" in said
    assert f"({reference})" in said


@pytest.mark.parametrize(
    "reference", ["#/$defs/B", "#/$defs/A/x", "#missing", "#/required/0/x", "#/required/7"]
)
def test_a_reference_to_nothing_is_refused(reference: str) -> None:
    """It would only be found out by the first call."""
    schema = {
        "properties": {"a": {"$ref": reference}},
        "required": ["a"],
        "$defs": {"A": {"type": "object"}},
    }

    assert f"the reference at #/properties/a/$ref points to nothing ({reference})" in refused(
        schema
    )


def test_a_reference_to_what_is_no_schema_is_refused() -> None:
    """A list of names is none."""
    said = refused({"properties": {"a": {"$ref": "#/required/0"}}, "required": ["a"]})

    assert "points to no schema (#/required/0)" in said


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}]},
        {
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}]}},
        },
        {
            "$ref": "#/$defs/A",
            "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"not": {"$ref": "#/$defs/A"}}},
        },
    ],
)
def test_a_schema_that_leads_back_to_itself_for_the_same_value_is_refused(
    schema: dict[str, Any],
) -> None:
    """It could never be decided."""
    assert "never ends: it leads to itself" in refused(schema)


def test_a_schema_with_an_id_inside_is_refused() -> None:
    """References below it would mean something else."""
    said = refused({"properties": {"a": {"$id": "https://example.org/a"}}})

    assert "the schema at #/properties/a has an $id of its own" in said


def test_a_schema_that_is_too_deep_is_refused() -> None:
    """It ends in a sentence, never in a RecursionError."""
    schema: dict[str, Any] = {}
    for _ in range(300):
        schema = {"properties": {"a": schema}}
    assert "the schema is more than 200 levels deep" in refused(schema)

    for _ in range(100_000):
        schema = {"properties": {"a": schema}}
    assert "the schema is no JSON data" in refused(schema)
    while schema:  # else Python's own clean-up recurses
        schema = schema.get("properties", {}).pop("a", {})


def test_references_that_chain_too_far_are_refused() -> None:
    """So is a chain of a thousand of them."""
    chain = {f"D{n}": {"$ref": f"#/$defs/D{n + 1}"} for n in range(300)} | {"D300": {}}

    assert "at # never ends" in refused({"$ref": "#/$defs/D0", "$defs": chain})
    backwards = dict(reversed(chain.items()))
    assert "at #/$defs/D200 never ends" in refused({"$defs": backwards})


def test_a_schema_that_is_no_object_is_refused() -> None:
    """A list of parameters is no schema."""
    assert "the schema at # must be an object schema" in refused([{"a": 1}])  # type: ignore[arg-type]  # the fault


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "object"},
        {"type": ["object"]},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"},
        {"$id": "https://example.org/root", "type": "object"},
        {"oneOf": [{"type": "object"}, {"type": "string"}]},
        {"properties": {"$ref": {"type": "string"}}},
        {"properties": {"a": {"$ref": "#node"}}, "$defs": {"N": {"$anchor": "node"}}},
        {"properties": {"a": {"$ref": "#/definitions/a~1b"}}, "definitions": {"a/b": True}},
        {"properties": {"child": {"$ref": "#"}}},
        {"properties": {"a": {"$ref": "#/$defs/a%20b"}}, "$defs": {"a b": {}}},
        {"properties": {"a": {"$ref": "#/allOf/0"}}, "allOf": [{"maxProperties": 3}]},
        {"x-note": {"$ref": "https://example.org"}},
    ],
)
def test_a_schema_that_can_be_enforced_is_taken(schema: dict[str, Any]) -> None:
    """Also when it is odd."""
    check_schema("sample", schema)


def test_a_reference_is_resolved_by_pointer_or_anchor() -> None:
    """Both name a place in the same document."""
    schema = {"$defs": {"A": {"$anchor": "a", "prefixItems": [{"type": "null"}]}}}

    assert resolve(schema, "#") == schema
    assert resolve(schema, "#a") == schema["$defs"]["A"]
    assert resolve(schema, "#/$defs/A/prefixItems/0") == {"type": "null"}


def test_a_walk_meets_every_schema_once_in_order() -> None:
    """Booleans are passed over, keywords that hold no schemas too."""
    schema = {
        "properties": {"a": {"items": {"enum": [{"type": "x"}]}}, "b": True},
        "anyOf": [{"not": {}}],
        "default": {"properties": {}},
    }

    places = [place for place, _ in walk(schema)]
    assert places == [
        (),
        ("properties", "a"),
        ("properties", "a", "items"),
        ("anyOf", 0),
        ("anyOf", 0, "not"),
    ]
