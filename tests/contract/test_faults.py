"""How what is wrong with arguments is told: where, what is wanted, and never for ever."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.samples import made
from tests.counting import calls_in
from toolferry import ArgumentValidator
from toolferry.advice import hint_of
from toolferry.expectation import expectation
from toolferry.faults import MAX_FAULTS
from toolferry.wording import path_text


def test_faults_that_are_told_alike_are_not_written_for_ever() -> None:
    """Long names that differ only in the middle make one path, with each missing member again."""
    element = {"type": "object", "required": [f"p{n}" for n in range(60)]}
    validator = ArgumentValidator("sample", {"type": "object", "additionalProperties": element})
    misfits = validator.misfits({f"{'x' * 300}{n:03}{'x' * 300}": {} for n in range(150)})

    count = calls_in(lambda: validator.told(misfits), of=path_text.__code__)

    assert len(misfits or ()) == 150
    assert count < 8 * MAX_FAULTS


def test_long_paths_of_two_members_differ() -> None:
    """What is cut is the middle: the end tells where something is."""
    schema = {"type": "object", "additionalProperties": {"required": ["p", "q"]}}

    found = ArgumentValidator("sample", schema).faults({"x" * 300: {}})

    assert [fault.path[-5:] for fault in found] == ["xxx.p", "xxx.q"]
    assert {len(fault.path) for fault in found} == {240}


def told(schema: dict[str, Any], value: Any) -> list[tuple[str, str]]:
    """List where a member does not fit, and what is expected there."""
    whole = {"properties": {"a": schema}, "$defs": {"A": {"properties": {"p": {}, "q": {}}}}}
    found = ArgumentValidator("sample", whole).faults({"a": value})
    return [(fault.path, fault.expected) for fault in found]


_NOT_X = 'array of string but not "x" of 1 or more elements'
_TAGGED = 'object with k = "x"'
INTEGER = {"type": "integer"}
STRING = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({**STRING, "not": {"enum": ["root"]}}, "root", 'anything but "root"'),
        (
            {"type": "object", "not": {"required": ["p", "q"]}},
            {"p": 1, "q": 1},
            "anything but object with p, q",
        ),
        ({"items": {**STRING, "not": {"const": "x"}}, "minItems": 1}, [], _NOT_X),
        ({"type": "array", "contains": INTEGER}, [], "array that holds integer"),
        (
            {"type": "array", "contains": INTEGER, "minContains": 3},
            [1],
            "array of which 3 or more are integer",
        ),
        (
            {"type": "array", "contains": INTEGER, "maxContains": 2},
            [1, 2, 3],
            "array of which 1 to 2 are integer",
        ),
        (
            {"type": "array", "contains": INTEGER, "minContains": 0, "maxContains": 1},
            [1, 2],
            "array of which at most 1 is integer",
        ),
        (
            {"type": "array", "contains": INTEGER, "maxContains": 1},
            [1, 2],
            "array of which exactly 1 is integer",
        ),
        (
            {"type": "array", "contains": INTEGER, "minContains": 2, "maxContains": 2},
            [1],
            "array of which exactly 2 are integer",
        ),
        (
            {"type": "array", "prefixItems": [INTEGER], "unevaluatedItems": False},
            [1, 2],
            "array of at most 1 element",
        ),
        (
            {"type": "array", "contains": INTEGER, "unevaluatedItems": False},
            [1, "x"],
            "array without further elements",
        ),
        (
            {"type": "array", "contains": INTEGER, "unevaluatedItems": {"type": "null"}},
            [1, "x"],
            "array whose further elements are null",
        ),
        ({"enum": ["x"]}, "y", '"x"'),
        ({"type": "object", "properties": {"k": {"enum": ["x"]}}, "required": ["k"]}, 1, _TAGGED),
        (
            {"oneOf": [{"properties": {"p": INTEGER}}, {"properties": {"q": INTEGER}}]},
            {"p": 1},
            "a value that fits only one of 2 alternatives: object",
        ),
        ({"enum": ["x", "yy"], "minLength": 2}, "x", "string of 2 or more characters"),
        ({"const": "x", "pattern": "^y"}, "x", "string matching ^y"),
        ({"type": "string", "enum": ["x", "y"], "minLength": 1}, "", 'one of "x", "y"'),
        ({"anyOf": [False, INTEGER]}, "x", "integer"),
        ({"anyOf": [False, False]}, "x", "nothing"),
        (False, 1, "nothing"),
    ],
)
def test_what_is_told_tells_what_to_do(schema: Any, value: Any, expected: str) -> None:
    """It is never what came already."""
    assert told(schema, value)[0] == ("a", expected)


@pytest.mark.parametrize(
    ("schema", "known"),
    [
        ({"allOf": [{"properties": {"q": {}}}], "properties": {"p": {}}}, "p, q"),
        ({"$ref": "#/$defs/A"}, "p, q"),
        ({"$dynamicRef": "#/$defs/A", "allOf": [{"$ref": "#/$defs/A"}]}, "p, q"),
        ({"properties": {"p": {}}, "patternProperties": {"^x-": {}}}, "p, any that matches ^x-"),
        ({"properties": {"p": {}}, "anyOf": [{"required": ["p"]}, True]}, "p"),
        ({"properties": {"p": {}}, "not": {"properties": {"p": False}, "required": ["p"]}}, "p"),
        ({}, "none"),
        ({"properties": {"p": {}}, "if": {"properties": {"q": {}}}}, None),
        ({"anyOf": [True, {"allOf": [{"$ref": "#/$defs/A"}]}]}, None),
    ],
)
def test_the_known_members_are_those_of_all_schemas_beside(schema: Any, known: str | None) -> None:
    """Where it depends on the object which ones they are, nothing is said of them."""
    listed = "" if known is None else f"; the known ones are: {known}"

    expected = f"no such member{listed}"
    assert told({**schema, "unevaluatedProperties": False}, {"z": 1})[-1] == ("a.z", expected)


def test_members_like_a_pattern_are_known() -> None:
    """Where others are refused by the schema that holds it."""
    schema = {"patternProperties": {"^x-": {}}, "additionalProperties": False}

    expected = "no such member; the known ones are: any that matches ^x-"
    assert told(schema, {"z": 1}) == [("a.z", expected)]


def test_a_hint_lists_the_members_of_all_schemas_beside() -> None:
    """Or those that look like what came."""
    schema = {"allOf": [{"properties": {"city": {}, "zip": {}}}], "unevaluatedProperties": False}
    tool = made(schema)

    hints = [hint_of(tool, tool.validator.findings({name: 1})) for name in ("cty", "z")]

    assert [(hint.allowed, hint.closest) for hint in hints] == [
        ((), ("city",)),
        (("city", "zip"), ()),
    ]


def test_what_makes_arguments_impossible_is_told_at_its_member() -> None:
    """Where it is one; else nobody could say more than that they have to be others."""
    schema = {"dependentSchemas": {"a": False, "b": True, "c": False}}
    validator = ArgumentValidator("sample", schema)
    branching = ArgumentValidator("sample", {"if": {"required": ["a"]}, "then": False})

    found = [*validator.faults({"a": 1, "b": 2}), *branching.faults({"a": 1})]

    assert [(fault.path, fault.expected, fault.got) for fault in found] == [
        ("a", "nothing", "1"),
        ("", "other arguments", '{"a": 1}'),
    ]


def test_a_wide_union_is_written_in_few_steps() -> None:
    """Nobody reads more than fits; many alternatives may be written alike."""

    def union(leaf: Any) -> dict[str, Any]:
        inner = {"anyOf": [{"anyOf": [leaf(n, m) for m in range(40)]} for n in range(40)]}
        return {"anyOf": [inner] * 40}

    alike = union(lambda _n, _m: {"type": "object"})
    unlike = union(lambda n, m: {"type": "object", "required": [f"p{n}_{m}"]})

    assert expectation({}, alike) == "object"
    assert expectation({}, unlike).startswith("object with p0_0 or object with p0_1 or ")
    assert calls_in(lambda: [expectation({}, one) for one in (alike, unlike)]) < 6_000
