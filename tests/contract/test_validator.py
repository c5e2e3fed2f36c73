"""What is found wrong with arguments, and how it is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolferry import ArgumentValidator, ErrorCode, Fault, schema_error
from toolferry.faults import MAX_FAULTS

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def object_of(**properties: Any) -> dict[str, Any]:
    """Write a closed object schema."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def nested(levels: int, **leaf: Any) -> dict[str, Any]:
    """Give arguments that go so deep."""
    value = leaf
    for _ in range(levels):
        value = {"child": value}
    return value


def faults(schema: dict[str, Any], **arguments: Any) -> list[tuple[str, str, str]]:
    """List the faults as (path, expected, got)."""
    found = ArgumentValidator("sample", schema).faults(arguments)
    return [(fault.path, fault.expected, fault.got) for fault in found]


def test_every_fault_is_listed_with_its_path_what_was_expected_and_what_came() -> None:
    """A model can mend all of them in one try."""
    item = object_of(price={"type": "number", "minimum": 0}, name={"type": "string"})
    schema = object_of(items={"type": "array", "items": item}, limit={"type": "integer"})
    schema["required"] = ["items", "limit"]

    assert faults(schema, items=[{"price": "1"}, {"price": -1, "colour": "red"}]) == [
        ("limit", "integer", "nothing"),
        ("items[0].price", "number of at least 0", '"1"'),
        ("items[1].colour", "no such member; the known ones are: price, name", '"red"'),
        ("items[1].price", "number of at least 0", "-1"),
    ]


def test_fitting_arguments_have_no_fault() -> None:
    """Nothing is told of what is right."""
    assert faults(object_of(a={"type": "string"}), a="x") == []


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "string", "minLength": 2}, "a", "string of 2 or more characters"),
        ({"type": "string", "maxLength": 2}, "abc", "string of at most 2 characters"),
        ({"type": "string", "minLength": 1, "maxLength": 2}, "", "string of 1 to 2 characters"),
        ({"type": "string", "pattern": "^a+$"}, "b", "string matching ^a+$"),
        ({"type": "string", "format": "date"}, "1.1.25", "date such as 2025-11-29"),
        ({"type": "string", "format": "path"}, 1, "string"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, 10, "integer from 1 to 9"),
        ({"type": "integer", "maximum": 9}, 10, "integer of at most 9"),
        ({"type": "number", "exclusiveMinimum": 0}, 0, "number above 0"),
        ({"type": "number", "exclusiveMaximum": 1}, 1, "number below 1"),
        ({"type": "integer", "multipleOf": 5}, 7, "integer that is a multiple of 5"),
        ({"type": ["string", "null"]}, 1, "string or null"),
        ({"type": "array", "minItems": 1}, [], "array of 1 or more elements"),
        (
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            ["a", "a"],
            "array of string without repeats",
        ),
        ({"type": "object", "required": ["a", "b"]}, 1, "object with a, b"),
        ({"type": "object", "maxProperties": 0}, {"a": 1}, "object of at most 0 members"),
        ({"properties": {"a": {}}, "minProperties": 1}, {}, "object of 1 or more members"),
        ({"enum": ["a", 1, None]}, "b", 'one of "a", 1, null'),
        ({"const": 3}, 4, "3"),
        ({"not": {"type": "null"}}, None, "anything but null"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, "string or null"),
        (
            {"oneOf": [{"minimum": 1}, {"type": "integer"}]},
            3,
            "a value that fits only one of 2 alternatives: number of at least 1 or integer",
        ),
        ({"$ref": "#/$defs/A"}, 1, "boolean"),
        ({"items": {"$ref": "#/$defs/A"}, "type": "array"}, 1, "array of boolean"),
        ({"allOf": [{"$ref": "#/$defs/A"}]}, 1, "boolean"),
        (
            {"not": {"allOf": [{"type": "integer"}, {"minimum": 1}]}},
            2,
            "anything but integer and number of at least 1",
        ),
        (
            {"not": {"items": {"items": {"items": {"items": {"type": "string"}}}}}},
            [],
            "anything but array of array of array of array of a fitting value",
        ),
        ({"not": {"$ref": "#/$defs/A"}}, True, "anything but boolean"),
        ({"not": {}}, 1, "anything but anything"),
        (False, 1, "nothing"),
        ({"contains": {"type": "null"}}, [1], "array that holds null"),
        ({"if": {}, "then": {"not": {}}}, [1], "anything but anything"),
        ({"patternProperties": {"^b": False}}, {"b": 1}, "nothing"),
        (
            {"dependentSchemas": {"b": {"maxProperties": 1}}},
            {"b": 1, "c": 2},
            "object of at most 1 members",
        ),
    ],
)
def test_what_is_expected_is_said_in_few_words(schema: Any, value: Any, expected: str) -> None:
    """The words of the schema, not those of a program."""
    whole = {"properties": {"a": schema}, "$defs": {"A": {"type": "boolean"}}}

    assert [fault[1] for fault in faults(whole, a=value)] == [expected]


def test_a_missing_member_of_any_kind_is_expected_as_anything() -> None:
    """A required member need not be described."""
    assert faults({"required": ["a"]}) == [("a", "anything", "nothing")]


def test_a_fault_in_the_likely_alternative_is_told_there() -> None:
    """An optional object that came has faults of its own, not the fault of being no null."""
    leaf = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    schema = {"properties": {"leaf": {"anyOf": [leaf, {"type": "null"}]}}}

    assert faults(schema, leaf={"n": "x"}) == [("leaf.n", "integer", '"x"')]
    assert faults(schema, leaf={}) == [("leaf.n", "integer", "nothing")]
    assert faults(schema, leaf=1) == [("leaf", "object with n or null", "1")]


def test_a_constant_tells_which_alternative_was_meant() -> None:
    """Objects told apart by one member."""
    create = {"properties": {"op": {"const": "create"}, "name": {}}, "required": ["op", "name"]}
    delete = {"properties": {"op": {"const": "delete"}, "id": {}}, "required": ["op", "id"]}
    schema = {"type": "object", "oneOf": [create, delete]}

    assert faults(schema, op="create", id=3) == [("name", "anything", "nothing")]
    assert faults(schema, op="drop") == [
        ("", 'object with op = "create", name or object with op = "delete", id', '{"op": "drop"}')
    ]


def test_members_that_depend_on_each_other_are_told() -> None:
    """With one, the other is needed."""
    schema = {"dependentRequired": {"card": ["owner", "date"]}}

    assert faults(schema, card=1, date=2) == [("owner", "a value, as card is given", "nothing")]
    assert faults(schema) == []


def test_names_that_do_not_fit_are_told_by_their_path() -> None:
    """Also when a property happens to be called like the keyword."""
    schema = {
        "propertyNames": {"pattern": "^[a-z]+$"},
        "properties": {"propertyNames": {"type": "integer"}},
    }

    assert faults(schema, A=1) == [("A", "a name that is string matching ^[a-z]+$", "another name")]
    assert faults({"properties": schema["properties"]}, propertyNames="x") == [
        ("propertyNames", "integer", '"x"')
    ]


def test_unevaluated_members_are_told_as_unknown() -> None:
    """The strictest way to close an object."""
    schema = {
        "allOf": [{"properties": {"a": {}}}],
        "properties": {"b": {}},
        "unevaluatedProperties": False,
    }

    assert faults(schema, a=1, c=2) == [("c", "no such member; the known ones are: b, a", "2")]


def test_each_fault_is_told_once() -> None:
    """Two keywords that say the same are one fault."""
    schema = {"properties": {"a": {"type": "integer", "allOf": [{"type": "integer"}]}}}

    assert faults(schema, a="x") == [("a", "integer", '"x"')]


@pytest.mark.parametrize(
    ("schema", "flood"),
    [
        (object_of(), {f"a{n}": n for n in range(5_000)}),
        ({"required": [f"a{n}" for n in range(5_000)]}, {}),
        (object_of(a={"items": {"type": "integer"}}), {"a": ["x"] * 5_000}),
    ],
    ids=["unknown", "missing", "elements"],
)
def test_a_flood_of_faults_is_cut(schema: dict[str, Any], flood: dict[str, Any]) -> None:
    """Neither a record nor the time to refuse a call grows with what a model invents."""
    found = ArgumentValidator("sample", schema).faults(flood)

    assert len(found) == MAX_FAULTS
    assert re.search(r"; and at least \d+ more\.$", schema_error("sample", found).message)


def test_what_came_is_shortened() -> None:
    """A long text or a big structure does not flood the prompt."""
    schema = object_of(text={"type": "integer"}, tree={"type": "integer"})

    for fault in faults(schema, text="x" * 10_000, tree=[list(range(10_000))] * 100):
        assert len(fault[2]) <= 80
        assert fault[2].endswith("…")


def test_a_long_enumeration_is_shortened() -> None:
    """So is what is expected."""
    found = faults(object_of(a={"enum": [f"value {n}" for n in range(1_000)]}), a=1)

    assert len(found[0][1]) == 240


@pytest.mark.parametrize(
    "mark", [{"writeOnly": True, "type": "integer"}, {"format": "password", "type": "integer"}]
)
@pytest.mark.parametrize(
    "place",
    [
        lambda mark: object_of(key=mark),
        lambda mark: object_of(key={"anyOf": [mark, {"type": "null"}]}),
        lambda mark: object_of(key={"type": "array", "items": mark}),
        lambda mark: {**object_of(key={"$ref": "#/$defs/K"}), "$defs": {"K": mark}},
        lambda mark: object_of(login={"type": "integer", "properties": {"key": mark}}),
        lambda mark: {**object_of(), "writeOnly": True, "x": mark},
        lambda mark: object_of(other=mark),
    ],
    ids=["bare", "optional", "in a list", "behind a reference", "in a member", "all", "elsewhere"],
)
def test_a_secret_is_never_repeated(mark: dict[str, Any], place: Any) -> None:
    """Not at its place, not inside of another value, not under a misspelt name."""
    validator = ArgumentValidator("sample", place(mark))

    for arguments in (
        {"key": "hunter2"},
        {"key": ["hunter2"]},
        {"key": {"a": "hunter2"}},
        {"login": {"key": "hunter2"}},
        {"kee": "hunter2"},
    ):
        assert "hunter2" not in repr(validator.faults(arguments))


def test_the_kind_of_a_secret_is_told() -> None:
    """The model can still mend it."""
    schema = object_of(key={"type": "string", "writeOnly": True})

    assert faults(schema, key=1) == [("key", "string", "integer, not shown")]
    assert faults(schema, kee="x")[0][2] == "string"


def test_a_format_is_checked() -> None:
    """A date that does not exist is no date."""
    schema = object_of(day={"type": "string", "format": "date"})

    assert faults(schema, day="2025-11-29") == []
    assert faults(schema, day="2025-02-30") == [("day", "date such as 2025-11-29", '"2025-02-30"')]


@pytest.mark.parametrize("depth", [65, 5_000, 200_000])
def test_arguments_that_are_too_deep_are_refused(depth: int) -> None:
    """Never a RecursionError, also with a schema that follows them down."""
    node = {"properties": {"children": {"type": "array", "items": {"$ref": "#"}}}}
    arguments: dict[str, Any] = {}
    for _ in range(depth):
        arguments = {"children": [arguments]}

    found = ArgumentValidator("sample", node).faults(arguments)
    while arguments:
        arguments = arguments["children"].pop()  # else Python's own clean-up recurses
    assert [fault.expected for fault in found] == ["at most 64 levels of objects and arrays"]


def test_a_recursive_schema_is_followed_as_deep_as_arguments_may_go() -> None:
    """A fault at the 63rd level is found."""
    node = {
        "properties": {"child": {"$ref": "#"}, "n": {"type": "integer"}},
        "uniqueItems": True,
        "additionalProperties": False,
    }
    found = ArgumentValidator("sample", node).faults(nested(62, n="x"))
    whole = ".".join(["child"] * 62 + ["n"])
    assert [fault.path for fault in found] == [f"{whole[:80]}…{whole[-159:]}"]


def chain_of(count: int, link: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """A schema that leads through so many others for each level of a value."""
    chain = {f"D{n}": link({"$ref": f"#/$defs/D{n + 1}"}) for n in range(count)}
    chain[f"D{count}"] = {"properties": {"child": {"$ref": "#/$defs/D0"}}}
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": chain}


def test_references_to_references_are_followed_at_every_level() -> None:
    """It is found out once where they lead."""
    schema = chain_of(90, lambda reference: reference)

    assert ArgumentValidator("sample", schema).faults({"a": nested(60)}) == ()


def test_a_schema_that_takes_too_many_steps_a_level_refuses_instead_of_failing() -> None:
    """Sixty levels times forty alternatives are more than Python can recurse."""
    schema = chain_of(40, lambda reference: {"anyOf": [reference]})

    found = ArgumentValidator("sample", schema).faults({"a": nested(60)})

    assert [(fault.path, fault.got) for fault in found] == [("", "more")]


def test_any_mapping_can_be_judged() -> None:
    """Arguments of a `ToolCall` need not be a dict."""
    from types import MappingProxyType  # noqa: PLC0415 -- only here

    validator = ArgumentValidator("sample", object_of(a={"type": "integer"}))
    assert validator.faults(MappingProxyType({"a": 1})) == ()


def test_odd_names_and_values_are_told_in_json() -> None:
    """Paths are unambiguous, values that are no JSON are named by their type."""
    schema = {"additionalProperties": {"type": "integer"}}

    assert faults(schema, **{"a b": "ü", "": 1.5, "x.y": object()}) == [
        ('[""]', "integer", "1.5"),
        ('["a b"]', "integer", '"ü"'),
        ('["x.y"]', "integer", "object"),
    ]


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(max_size=3), JSON, max_size=3))
def test_whatever_comes_is_judged_without_an_exception(arguments: dict[str, Any]) -> None:
    """A validator answers every JSON object with short texts."""
    node = {"$ref": "#/$defs/N"}
    schema = {
        "properties": {"a": node, "": {"anyOf": [{"type": "string"}, node]}},
        "additionalProperties": {"enum": [1, None, "x"]},
        "$defs": {"N": {"type": "array", "items": node, "uniqueItems": True, "maxItems": 2}},
    }

    for fault in ArgumentValidator("sample", schema).faults(arguments):
        assert max(len(fault.expected), len(fault.path)) <= 240
        assert len(fault.got) <= 80


def test_the_error_of_a_call_tells_up_to_twenty_faults_and_holds_all() -> None:
    """A message stays readable; a program can look at every fault."""
    found = tuple(Fault(path=f"a{n}", expected="integer", got="nothing") for n in range(23))

    error = schema_error("sample", found)
    assert error.code == ErrorCode.SCHEMA
    assert error.faults == found
    assert error.message.startswith(
        "The arguments of sample do not fit: a0: expected integer, got nothing; a1: "
    )
    assert error.message.endswith("a19: expected integer, got nothing; and 3 more.")
