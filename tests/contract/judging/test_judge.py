"""The judge says of every value what jsonschema says, and where it says no, it says why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.judging.oracle import by_jsonschema, misfits_of_jsonschema
from tests.counting import calls_in
from toolferry.judging import Judge, Misfit
from toolferry.judging.applicators import APPLICATORS, OF_OBJECTS
from toolferry.judging.assertions import ASSERTIONS
from toolferry.judging.judge import MAX_MISFITS

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
    """Draw schemas of one to five keywords that may hold each other."""
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "$ref": st.just("#/$defs/D"),
        "additionalProperties": inner,
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "const": VALUES,
        "contains": inner,
        "dependentRequired": st.just({"a": ["b"]}),
        "dependentSchemas": inner.map(lambda schema: {"a": schema}),
        "enum": st.lists(VALUES, max_size=3),
        "exclusiveMaximum": SMALL,
        "exclusiveMinimum": SMALL,
        "else": inner,
        "format": st.sampled_from(["date", "unknown"]),
        "if": inner,
        "items": inner,
        "maxContains": SMALL,
        "maxItems": SMALL,
        "maxLength": SMALL,
        "maxProperties": SMALL,
        "maximum": SMALL,
        "minContains": SMALL,
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
        "propertyNames": inner,
        "required": st.lists(st.sampled_from("abc"), unique=True, max_size=2),
        "then": inner,
        "title": st.just("T"),
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
        "unevaluatedItems": inner,
        "unevaluatedProperties": inner,
        "uniqueItems": st.booleans(),
    }
    names = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=5, unique=True)
    return names.flatmap(lambda chosen: st.fixed_dictionaries({n: keywords[n] for n in chosen}))


SCHEMAS = st.recursive(st.booleans() | schemas(st.booleans()), schemas, max_leaves=4)


@settings(max_examples=250, deadline=None)
@given(SCHEMAS, schemas(st.booleans()).filter(lambda one: "$ref" not in one), st.lists(VALUES))
def test_every_value_is_judged_as_by_jsonschema(
    schema: Any, definition: Any, values: list[Any]
) -> None:
    """Whatever keywords stand beside and inside of each other."""
    whole = {"allOf": [schema], "$defs": {"D": definition}}
    reference = by_jsonschema(whole)
    judge = Judge(whole)

    for value in values:
        assert judge.fits(value) is reference.is_valid(value)
        assert bool(judge.misfits(value)) is not judge.fits(value)


def test_every_keyword_is_known() -> None:
    """Those of jsonschema, as it has all of 2020-12."""
    own = {"type", *ASSERTIONS, *APPLICATORS, *OF_OBJECTS}

    assert own == by_jsonschema({}).VALIDATORS.keys()


#: Keywords of which jsonschema tells more than once, or in other words.
SPOKEN_OTHERWISE = {
    "contains",
    "dependentRequired",
    "propertyNames",
    "required",
    "unevaluatedProperties",
}


def said(misfits: Iterable[Misfit]) -> set[tuple[Any, ...]]:
    """Give where which keyword is not fitted."""
    return {(one.path, one.keyword, repr(one.wanted), one.unknown) for one in misfits}


@settings(max_examples=250, deadline=None)
@given(
    st.recursive(schemas(st.just({})), schemas, max_leaves=4).filter(
        lambda one: (
            "$ref" not in str(one) and not any(word in str(one) for word in SPOKEN_OTHERWISE)
        )
    ),
    VALUES,
)
def test_the_misfits_are_those_that_jsonschema_finds(schema: Any, value: Any) -> None:
    """At the same places, of the same keywords."""
    assert said(Judge(schema).misfits(value)) == said(misfits_of_jsonschema(schema, value))


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
        ({"multipleOf": 0.01}, 4.351),
        ({"multipleOf": 0.5}, float("inf")),
        ({"additionalProperties": False}, {"a": 1}),
        ({"required": ["a"]}, {}),
        ({"patternProperties": {"^a": {"type": "null"}}}, {"a": 1}),
        ({"enum": [1, [2]]}, (2,)),
        ({"enum": ["a"]}, {"a": {1}}),
        ({"uniqueItems": True}, [{1}, {2}]),
        (False, 1),
    ],
)
def test_what_does_not_fit(schema: Any, value: Any) -> None:
    """Python's truths are not JSON's."""
    assert not Judge({"allOf": [schema]}).fits(value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"enum": [1, "a", None]}, 1.0),
        ({"enum": [{"a": [1, {}]}]}, {"a": [1.0, {}]}),
        ({"type": "integer"}, 1.0),
        ({"type": ["integer", "null"]}, None),
        ({"const": "a"}, "a"),
        ({"anyOf": [{"type": "null"}, {"pattern": "^a"}]}, "ab"),
        ({"items": {"maxLength": 1}, "minItems": 1}, ["a"]),
        ({"multipleOf": 0.01}, 4.35),
        ({"multipleOf": 0.01}, 10**400),
        ({"unheard": 1}, 1),
        (
            {"properties": {"a": {"$ref": "#"}}, "additionalProperties": {"type": "null"}},
            {"b": None},
        ),
        (True, 1),
        ({"format": "unknown", "title": "T", "default": 1}, "x"),
        ({"minLength": 5, "minimum": 5, "minProperties": 5, "required": ["a"]}, None),
    ],
)
def test_what_fits(schema: Any, value: Any) -> None:
    """Each keyword is about its own kind of value; 4.35 is a multiple of 0.01, if not to floats."""
    judge = Judge({"allOf": [schema]})

    assert judge.fits(value)
    assert judge.misfits(value) == ()


def test_a_recursive_schema_is_followed() -> None:
    """A reference that leads back to itself ends with the value."""
    judge = Judge({"properties": {"child": {"$ref": "#"}, "n": {"type": "integer"}}})

    assert judge.fits({"child": {"child": {"n": 1}}})
    assert [one.path for one in judge.misfits({"child": {"child": {"n": "x"}}})] == [
        ("child", "child", "n")
    ]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"items": {"type": "integer"}}, ["x"] * 5_000),
        ({"items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, ["x"] * 5_000),
        ({"anyOf": [{"items": {"type": "integer"}}]}, ["x"] * 5_000),
        ({"additionalProperties": {"type": "integer"}}, dict.fromkeys(map(str, range(5_000)), "x")),
        ({"propertyNames": {"maxLength": 0}}, dict.fromkeys(map(str, range(5_000)))),
    ],
    ids=["items", "anyOf in items", "items in anyOf", "members", "names"],
)
def test_the_search_ends_when_there_is_enough_to_tell(schema: Any, value: Any) -> None:
    """What is found by then is right; to find the rest costs and tells nobody anything."""
    misfits = Judge(schema).misfits(value)

    assert len(misfits) == MAX_MISFITS


@pytest.mark.parametrize(
    ("schema", "value", "fits"),
    [
        (
            {"dependentSchemas": {"x": {"prefixItems": [True]}}, "unevaluatedItems": False},
            ["x"],
            False,
        ),
        (
            {
                "$defs": {
                    "a": {"contains": {"unevaluatedItems": False, "$ref": "#/$defs/b"}},
                    "b": {},
                }
            },
            [[]],
            True,
        ),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {"a": {"contains": {"$ref": "#/$defs/a"}, "unevaluatedItems": False}},
            },
            [],
            False,
        ),
        ({"allOf": [{"minLength": 1}] * 3_000}, "", False),
    ],
    ids=["a name in a list", "inside of contains", "contains itself", "very many"],
)
def test_schemas_that_stand_oddly_in_each_other(schema: Any, value: Any, fits: bool) -> None:  # noqa: FBT001 -- what is expected
    """Are judged as any."""
    assert Judge(schema).fits(value) is fits


def test_members_lead_on_through_hundreds_of_schemas() -> None:
    """References are compiled one by one, and not inside of each other."""
    chain: dict[str, Any] = {
        f"D{at}": {"properties": {"a": {"$ref": f"#/$defs/D{at + 1}"}}} for at in range(500)
    }
    chain["D500"] = {"type": "integer"}
    judge = Judge({"$ref": "#/$defs/D0", "$defs": dict(reversed(chain.items()))})

    assert judge.fits({"a": {"a": 1}})


def test_what_is_found_out_of_one_schema_is_not_taken_for_that_of_another() -> None:
    """Several closed schemas with patterns of their own, in one document."""
    closed = {
        name: {"patternProperties": {f"^{name}": True}, "unevaluatedProperties": False}
        for name in "abcdef"
    }
    judge = Judge({"properties": closed})

    for name in closed:
        for other in closed:
            assert judge.fits({name: {f"{other}1": 1}}) is (name == other)


@pytest.mark.parametrize(
    "last", [{"type": "string"}, {"properties": {"b": True}, "unevaluatedProperties": False}]
)
def test_schemas_that_all_lead_to_one_are_looked_at_once(last: dict[str, Any]) -> None:
    """Twice the levels take twice the steps, and not their square."""

    def steps(levels: int) -> int:
        chain: dict[str, Any] = {
            f"A{at}": {"allOf": [{"$ref": f"#/$defs/A{at + 1}"}] * 2} for at in range(levels)
        }
        union = {"anyOf": [{"$ref": "#/$defs/A0"}, {"type": "null"}]}
        whole = {**union, "unevaluatedProperties": False}
        judge = Judge({**whole, "$defs": {**chain, f"A{levels}": last}})
        return calls_in(lambda: judge.misfits({"a": 1}))

    assert steps(20) < 4 * steps(10)
