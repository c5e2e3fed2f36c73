"""Which schemas are taken, and what is said of the others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.contract.samples import made
from tests.counting import calls_in
from toolferry import Registry, SchemaInvalid
from toolferry.references import endless, resolve, strays
from toolferry.schema import admits_objects, check_schema, schema_faults
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


def nested(levels: int, inside: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Put a schema inside of itself so many times."""
    schema: dict[str, Any] = {"minLength": 0}
    for _ in range(levels):
        schema = inside(schema)
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        nested(99, lambda one: {"properties": {"a": one}}),
        {"properties": {"a": nested(150, lambda one: {"items": one})}},
        {"properties": {"a": nested(80, lambda one: {"anyOf": [one]})}},
        {"dependencies": nested(99, lambda one: {"dependencies": {"a": one}})},
    ],
    ids=["members", "elements", "alternatives", "an older word"],
)
def test_a_schema_is_taken_however_deep_its_caller_is(schema: dict[str, Any]) -> None:
    """Below the limit of levels nothing depends on Python's stack."""
    assert beneath(700, lambda: schema_faults(schema)) == ()


def test_a_fault_is_found_in_a_schema_that_is_too_deep_to_be_judged_at_once() -> None:
    """It is found by looking at each level alone."""
    schema = nested(98, lambda one: {"properties": {"a": one}})
    deep = nested(98, lambda one: {"properties": {"a": {**one, "minimum": "1"}}})

    assert schema_faults(schema) == ()
    assert "the schema at #/properties/a/minimum is no JSON Schema" in schema_faults(deep)[0]


def beneath(frames: int, work: Callable[[], Any]) -> Any:
    """Do some work as deep in Python's stack."""
    return beneath(frames - 1, work) if frames else work()


@pytest.mark.parametrize("frames", [0, 900])
def test_a_pattern_that_nests_too_deep_is_refused(frames: int) -> None:
    """Python cannot read it, whoever asks."""
    schema = {"properties": {"a": {"pattern": "(" * 1_000 + ")" * 1_000}}}

    told = beneath(frames, lambda: schema_faults(schema))

    assert "the schema at #/properties/a/pattern is no JSON Schema" in told[0]


def test_a_place_in_a_list_of_thousands_of_digits_is_refused() -> None:
    """Python would not read it, and it is told shortened."""
    said = refused({"properties": {"a": {"$ref": "#/allOf/" + "9" * 5_000}}, "allOf": [{}]})

    assert "points to nothing (#/allOf/999" in said
    assert len(said) < 400


def test_half_a_character_in_a_schema_is_refused() -> None:
    """What a model is told of it could not be sent."""
    assert "half of a character" in refused({"properties": {"a": {"enum": ["\ud83d"]}}})
    assert (
        made({"properties": {"a": {"enum": ["\ud83d\ude00"]}}}).validator.faults({"a": "😀"}) == ()
    )


def test_alternatives_that_lead_to_the_same_ones_are_looked_at_once() -> None:
    """Else each level would take twice the time of the next."""

    def doubled(levels: int) -> dict[str, Any]:
        names = [f"#/$defs/A{n}" for n in range(levels + 1)]
        defs: dict[str, Any] = {
            f"A{n}": {"anyOf": [{"$ref": names[n + 1]}] * 2} for n in range(levels)
        }
        return {"$ref": names[0], "$defs": {**defs, f"A{levels}": {"type": "string"}}}

    few, many = (calls_in(partial(admits_objects, one, one)) for one in map(doubled, (20, 40)))

    assert many < 3 * few


def test_anchors_are_looked_up_in_one_table() -> None:
    """Else each reference would walk through the whole document."""

    def anchored(count: int) -> dict[str, Any]:
        return {
            "properties": {f"a{n}": {"$ref": f"#x{n}"} for n in range(count)},
            "$defs": {f"a{n}": {"$anchor": f"x{n}"} for n in range(count)},
        }

    few, many = (calls_in(partial(endless, one)) for one in map(anchored, (100, 200)))

    assert many < 3 * few
    assert resolve(anchored(3), "#x2") == {"$anchor": "x2"}


def test_what_stands_oddly_is_looked_at_once() -> None:
    """However many references lead into it, and whichever comes first."""
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(20):
        inner = {"items": inner}
    ways = ["#/x" + "/items" * level for level in range(20)]

    for order in (ways, ways[::-1]):
        root = {"properties": {way: {"$ref": way} for way in order}, "x": inner}
        assert list(strays(root)) == [("#/x", inner)]
        assert schema_faults(root) == ()


def test_a_circle_outside_of_all_known_places_is_found() -> None:
    """A reference leads to it."""
    schema = {
        "properties": {"a": {"$ref": "#/x/A"}},
        "x": {"A": {"properties": {"b": {"$ref": "#/x/B"}}}, "B": {"$ref": "#/x/B"}},
    }

    assert "the schema at #/x/A/properties/b never ends" in refused(schema)


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
