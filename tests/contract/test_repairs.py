"""What is put right about arguments, and what is not."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.counting import calls_in
from toolferry import ErrorCode, Repair, Repairs, Tool, parse_arguments
from toolferry.judging.judge import MAX_MISFITS
from toolferry.repairing import fit_arguments, read_object, read_text
from toolferry.repairing.texts import MAX_WORDS

OBJECT = {"a": 1}
TEXT = '{"a": 1}'


def tool_of(**members: Any) -> Tool:
    """A tool that takes these members, none of which is required."""
    return Tool(name="any", parameters={"type": "object", "properties": members})


@pytest.mark.parametrize(
    ("raw", "arguments", "repairs"),
    [
        (TEXT, OBJECT, ()),
        (TEXT.encode(), OBJECT, ()),
        ("", {}, ("empty",)),
        ("  \n", {}, ("empty",)),
        (None, {}, ("empty",)),
        ("null", {}, ("empty",)),
        (b"null", {}, ("empty",)),
        (OBJECT, OBJECT, ("object_for_text",)),
        (json.dumps(TEXT), OBJECT, ("encoded_twice",)),
        (f"```json\n{TEXT}\n```", OBJECT, ("fences",)),
        (f"\n```{TEXT}```\n", OBJECT, ("fences",)),
        (f"{TEXT}\n\nSee [docs] for more.", OBJECT, ("trailing_words",)),
        (f"{TEXT} -- and that is it", OBJECT, ("trailing_words",)),
        ('{"a": "```x```"}', {"a": "```x```"}, ()),
    ],
    ids=repr,
)
def test_a_text_with_one_meaning_is_read(raw: Any, arguments: Any, repairs: Any) -> None:
    """And what was put right is said."""
    read = read_text(raw)

    assert (read.fault, read.arguments, read.repairs) == (None, arguments, repairs)
    assert bool(read.strictly) is bool(repairs)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ('{"a": 1}{"a": 2}', ErrorCode.MULTIPLE_OBJECTS),
        ('{"a": 1} and {"a": 2}', ErrorCode.INVALID_JSON),
        ('{"a": 1} not [1, 2]', ErrorCode.INVALID_JSON),
        ('{"a": 1} 5', ErrorCode.INVALID_JSON),
        ('{"a": 1} true', ErrorCode.INVALID_JSON),
        ('{"a": 1} "b"', ErrorCode.INVALID_JSON),
        ('{"a": 1}}', ErrorCode.INVALID_JSON),
        ('{"a": 1}, "b": 2}', ErrorCode.INVALID_JSON),
        ('{"a": 1} ' + "x" * (MAX_WORDS + 1), ErrorCode.INVALID_JSON),
        ('{"a": 1} so ' + "[" * 30, ErrorCode.INVALID_JSON),
        ('Do not: {"a": 1}', ErrorCode.INVALID_JSON),
        ('```json\n{"a": 1', ErrorCode.INVALID_JSON),
        ('```json\n{"a": 1\n```', ErrorCode.TRUNCATED),
        ('```\n{"a": 1}{"b": 2}\n```', ErrorCode.MULTIPLE_OBJECTS),
        ('```{"a": 1}```\n```{"a": 2}```', ErrorCode.INVALID_JSON),
        ("```\n\n```", ErrorCode.INVALID_JSON),
        ('"[1]"', ErrorCode.INVALID_JSON),
        ('"hello"', ErrorCode.INVALID_JSON),
        (json.dumps(json.dumps(TEXT)), ErrorCode.INVALID_JSON),
        (json.dumps('{"a": NaN}'), ErrorCode.INVALID_JSON),
        (json.dumps('{"a": 1}{"a": 2}'), ErrorCode.MULTIPLE_OBJECTS),
        (json.dumps('{"a": '), ErrorCode.TRUNCATED),
        ('{"a": 1, "a": 2} twice', ErrorCode.INVALID_JSON),
        ("{'a': 1}", ErrorCode.INVALID_JSON),
        ([1], ErrorCode.INVALID_JSON),
        (True, ErrorCode.INVALID_JSON),
        (b"\xff", ErrorCode.INVALID_JSON),
    ],
    ids=repr,
)
def test_a_text_that_could_mean_something_else_is_refused(raw: Any, code: ErrorCode) -> None:
    """Nothing is picked, cut off or guessed."""
    read = read_text(raw)

    assert read.fault is not None
    assert (read.fault.code, read.arguments, read.repairs) == (code, {}, ())


def test_an_object_that_came_as_its_text_is_encoded_twice() -> None:
    """Where the format has objects, nothing else is native."""
    assert read_object(OBJECT).repairs == ()
    assert read_object(TEXT) == read_text(json.dumps(TEXT)).__class__(
        OBJECT, None, ("encoded_twice",), read_object(TEXT).strictly
    )
    assert read_object(None).repairs == ("empty",)
    assert read_object("nonsense").fault is not None


INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
BOOLEAN = {"type": "boolean"}
LIST = {"type": "array", "items": INTEGER}


@pytest.mark.parametrize(
    ("schema", "came", "meant", "repair"),
    [
        (INTEGER, "9007199254740993", 9007199254740993, "coerced"),
        (INTEGER, "-7", -7, "coerced"),
        ({"type": ["integer", "null"]}, "3", 3, "coerced"),
        ({"anyOf": [INTEGER, {"type": "null"}]}, "3", 3, "coerced"),
        (NUMBER, "1.5", 1.5, "coerced"),
        (NUMBER, "-2e-3", -0.002, "coerced"),
        (NUMBER, "12", 12, "coerced"),
        (BOOLEAN, "true", True, "coerced"),
        (BOOLEAN, "false", False, "coerced"),
        (LIST, "[1, 2]", [1, 2], "encoded_twice"),
        ({"type": ["array", "null"]}, "[1]", [1], "encoded_twice"),
        ({"type": "object"}, '{"b": 9007199254740993}', {"b": 9007199254740993}, "encoded_twice"),
        ({"enum": ["auto", 1, None]}, "1", 1, "enum_text"),
        ({"enum": ["auto", 1, None]}, "null", None, "enum_text"),
        ({"type": "boolean", "enum": [True]}, "true", True, "enum_text"),
        ({"const": 7}, "7", 7, "enum_text"),
        ({"$ref": "#/$defs/level"}, "2", 2, "enum_text"),
    ],
)
def test_a_field_with_one_meaning_is_put_right(
    schema: Any, came: Any, meant: Any, repair: str
) -> None:
    """Exactly, and only by the repair that is switched on for it."""
    parameters = {
        "type": "object",
        "properties": {"a": schema},
        "$defs": {"level": {"enum": [1, 2]}},
    }
    tool = Tool(name="any", parameters=parameters)

    fitted = fit_arguments(tool, {"a": came}, Repairs.ALL)

    assert (fitted.arguments, fitted.repairs) == ({"a": meant}, (repair,))
    assert type(fitted.arguments["a"]) is type(meant)
    without = fit_arguments(tool, {"a": came}, Repairs(frozenset(Repair) - {repair, "coerced"}))
    assert (without.arguments, without.repairs) == ({"a": came}, ())


@pytest.mark.parametrize(
    ("schema", "came"),
    [
        (INTEGER, "3.0"),
        (INTEGER, "007"),
        (INTEGER, "+5"),
        (INTEGER, " 5"),
        (INTEGER, "1e3"),
        (INTEGER, "\u0663"),
        (INTEGER, "1" * 5_000),
        (INTEGER, "ten"),
        (INTEGER, 1.5),
        ({"type": "integer", "maximum": 5}, "9"),
        ({"type": ["integer", "boolean"]}, "1"),
        (NUMBER, "1e999"),
        (NUMBER, "NaN"),
        (NUMBER, "1,5"),
        (NUMBER, ".5"),
        (BOOLEAN, "True"),
        (BOOLEAN, "yes"),
        (BOOLEAN, 1),
        (LIST, "['a']"),
        (LIST, "1, 2"),
        (LIST, '["1"]'),
        (LIST, "[1] [2]"),
        (LIST, '{"a": 1}'),
        ({"anyOf": [{"type": "string", "maxLength": 2}, LIST]}, "[1, 2]"),
        ({"enum": [1, 2]}, "3"),
        ({"enum": ["a", "b"]}, "c"),
        ({"type": "string"}, 5),
        ({"type": "string", "format": "date"}, "2026"),
    ],
)
def test_a_field_that_could_mean_something_else_is_left(schema: Any, came: Any) -> None:
    """The model is told instead."""
    fitted = fit_arguments(tool_of(a=schema), {"a": came}, Repairs.ALL)

    assert (fitted.arguments, fitted.repairs) == ({"a": came}, ())


@pytest.mark.parametrize("came", ["5", "true", "[1]", '{"a": 1}', "null", "```x```"])
def test_a_text_where_text_is_allowed_stays_text(came: str) -> None:
    """Whatever it looks like."""
    for schema in ({"type": "string"}, {}, {"type": ["string", "integer"]}):
        assert fit_arguments(tool_of(a=schema), {"a": came}, Repairs.ALL).arguments == {"a": came}


def test_a_null_goes_where_it_stands_for_nothing_only() -> None:
    """A required field, one that may be null and a key of a map are the model's own."""
    lang = {"type": "string"}
    mapped = {"type": "object", "additionalProperties": {"type": "integer"}}
    tool = tool_of(lang=lang, since={"type": ["string", "null"]}, limits=mapped)

    assert fit_arguments(tool, {"lang": None, "since": None}, Repairs.ALL).arguments == {
        "since": None
    }
    kept = {"limits": {"a": None}}
    assert fit_arguments(tool, kept, Repairs.ALL).arguments == kept
    required = Tool(name="r", parameters={**tool.parameters, "required": ["lang"]})
    assert fit_arguments(required, {"lang": None}, Repairs.ALL).arguments == {"lang": None}


def test_all_of_it_fits_or_nothing_is_put_right() -> None:
    """The model is told every fault of what it sent itself."""
    tool = tool_of(a=INTEGER, b=INTEGER)

    assert fit_arguments(tool, {"a": "1", "b": "x"}, Repairs.ALL).arguments == {"a": "1", "b": "x"}
    assert fit_arguments(tool, {"a": "1", "b": "2"}, Repairs.ALL).arguments == {"a": 1, "b": 2}


def test_fields_deep_inside_are_put_right_and_the_original_stays() -> None:
    """Each by its own schema, also in the alternative that is meant."""
    item = {
        "oneOf": [
            {"type": "object", "properties": {"op": {"const": "add"}, "n": INTEGER}},
            {"type": "object", "properties": {"op": {"const": "del"}, "ids": LIST}},
        ]
    }
    tool = tool_of(items={"type": "array", "items": item})
    came = {"items": [{"op": "add", "n": "3"}, {"op": "del", "ids": "[1]"}, {"op": "add", "n": 4}]}
    before = json.dumps(came)

    fitted = fit_arguments(tool, came, Repairs.ALL)

    assert fitted.arguments == {
        "items": [{"op": "add", "n": 3}, {"op": "del", "ids": [1]}, {"op": "add", "n": 4}]
    }
    assert fitted.repairs == ("coerced", "encoded_twice")
    assert json.dumps(came) == before


def test_what_is_wrong_hundreds_of_times_is_told() -> None:
    """A model that gets everything wrong learns it."""
    tool = tool_of(a=LIST)
    came = {"a": ["1"] * (MAX_MISFITS + 1)}

    assert fit_arguments(tool, came, Repairs.ALL).repairs == ()
    assert fit_arguments(tool, {"a": ["1"] * MAX_MISFITS}, Repairs.ALL).repairs == ("coerced",)


def test_a_value_that_came_as_its_text_is_looked_up() -> None:
    """What that takes does not grow with the number of values."""

    def steps(count: int) -> int:
        tool = tool_of(a={"type": "array", "items": {"enum": [*range(count)]}})
        fit_arguments(tool, {"a": ["1"]}, Repairs.ALL)
        return calls_in(partial(fit_arguments, tool, {"a": ["1"] * 50}, Repairs.ALL))

    assert steps(300) < 1.5 * steps(10)


def test_a_repair_is_switched_off_by_its_name() -> None:
    """A name that there is not is refused."""
    assert not Repairs.ALL.without("coerced").allow(["coerced"])
    assert Repairs.ALL.without("coerced").allow(["empty"])
    assert Repairs.NONE.allow([])
    with pytest.raises(ValueError, match="guessed"):
        Repairs.ALL.without("guessed")


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='{}[]"`,:\\ \n0aj.SeE-', max_size=40) | st.binary(max_size=30))
def test_any_text_is_read_or_refused_and_strict_text_is_never_touched(text: str | bytes) -> None:
    """What strict reading takes comes out as strict reading has it."""
    read = read_text(text)

    if read.fault is None and not read.repairs:
        assert read.arguments == parse_arguments(text)
    assert bool(read.strictly) is bool(read.repairs)
