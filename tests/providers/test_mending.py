"""What a model is told of a call that it can mend: enough for one try, in 1 KB, without secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolferry import Registry, Tool
from toolferry.fitted import MAX_ERROR
from toolferry_dispatcher.looking import look
from toolferry_dispatcher.providers import provider

PASSWORD = "correct horse battery"  # noqa: S105 -- a sample
CITIES = [f"city number {number}" for number in range(300)]


def registry_of(*tools: Tool) -> Registry:
    """A registry of tools without handlers."""
    registry = Registry()
    for tool in tools:
        registry.declare(tool)
    return registry


def tool_of(*required: str, **members: Any) -> Tool:
    """A closed tool that takes these members."""
    return Tool(
        name="find",
        parameters={
            "type": "object",
            "properties": members,
            "required": list(required),
            "additionalProperties": False,
        },
    )


def error_of(arguments: Any, *tools: Tool, name: str = "find") -> Mapping[str, Any]:
    """What is told of one call, whose arguments come as text or as data."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": text}
    message = {"tool_calls": [{"id": "c1", "type": "function", "function": function}]}
    body = {"choices": [{"finish_reason": "tool_calls", "message": message}]}
    [call] = look(body, provider("openai-chat"), registry_of(*tools)).calls
    assert call.error is not None
    return call.error


def test_all_that_one_try_needs_is_told() -> None:
    """Where, what was wanted, what came, what may stand there, and a call that would do."""
    unit = {"enum": ["C", "F"]}
    tool = tool_of("city", city={"type": "string"}, unit=unit)

    assert error_of({"city": "Oslo", "unit": "K"}, tool) == {
        "code": "schema",
        "message": 'The arguments of find do not fit: unit: expected one of "C", "F", got "K".',
        "path": "unit",
        "expected": 'one of "C", "F"',
        "got": '"K"',
        "allowed": ["C", "F"],
        "example": {"city": "text"},
        "retryable": True,
        "suggestion": "Correct the named arguments and call again.",
    }


def test_a_misspelt_member_is_told_its_likeliest_name() -> None:
    """Of many names the close ones, of few all."""
    tool = tool_of(query={"type": "string"}, limit={"type": "integer"})

    assert error_of({"qurey": "x"}, tool)["closest"] == ["query"]
    assert error_of({"zzz": "x"}, tool)["allowed"] == ["query", "limit"]


def test_of_a_long_list_of_values_the_close_ones_are_told() -> None:
    """Or as many as fit, when none is close."""
    tool = tool_of(city={"enum": CITIES})

    assert error_of({"city": "city numbr 299"}, tool)["closest"][0] == "city number 299"
    listed = error_of({"city": "Q"}, tool)["allowed"]
    assert listed == CITIES[: len(listed)] != []


def test_the_place_stays_when_much_else_has_no_room() -> None:
    """Long values are cut and left out before the short path that says which one is meant."""
    long = [f"{'值' * 60}{number}" for number in range(300)]

    error = error_of({"city": "值" * 5000}, tool_of("city", city={"enum": long}))

    assert error["path"] == "city"


def test_an_unknown_tool_is_told_with_those_that_look_like_it() -> None:
    """The suggestion lists the others."""
    error = error_of({}, tool_of(), Tool(name="send_mail"), name="fnd")

    assert (error["code"], error["path"], error["got"]) == ("unknown_tool", "name", '"fnd"')
    assert error["closest"] == ["find"]
    assert "send_mail" in error["suggestion"]
    assert error_of({}, tool_of(), name="qqq")["allowed"] == ["find"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"id": NaN}', "invalid_json"),
        ('{"id": 1}{"id": 2}', "multiple_objects"),
        ('{"id": ', "truncated"),
        ('{"id": ' + "[" * 70, "too_deep"),
    ],
)
def test_arguments_that_cannot_be_read_are_told_with_an_example(text: str, code: str) -> None:
    """Nothing of the text is repeated."""
    error = error_of(text, tool_of("id", id={"type": "integer"}))

    assert (error["code"], error["path"], error["example"]) == (code, "", {"id": 1})
    assert error["expected"]
    assert error["got"]


def test_the_examples_of_the_author_go_before_made_ones() -> None:
    """Unless they are long."""
    parameters = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    long = {"id": 1, "note": "x" * 1_000}
    tool = Tool(name="find", parameters=parameters, examples=(long, {"id": 17}))

    assert error_of({}, tool)["example"] == {"id": 17}


@pytest.mark.parametrize(
    "member",
    [
        {"type": "string", "pattern": "^[0-9]+$", "example": 1},
        {"type": "string", "minLength": 10_000},
        {"allOf": [{"type": "string"}, {"const": "never"}], "minLength": 9},
        {"not": {}},
    ],
)
def test_no_example_is_made_that_does_not_fit(member: Any) -> None:
    """A wrong example is worse than none."""
    assert "example" not in error_of({}, tool_of("a", a=member))


def test_a_secret_is_repeated_nowhere() -> None:
    """Not as what came, not as a near name, and not in another member's place."""
    secret = {"type": "string", "minLength": 50, "writeOnly": True}
    tool = tool_of("token", token=secret, user={"type": "integer"})

    for arguments in (
        {"token": PASSWORD},
        {"tokn": PASSWORD},
        {"token": {"a": PASSWORD}},
        {"token": PASSWORD, "user": [PASSWORD]},
    ):
        told = json.dumps(error_of(arguments, tool))
        assert PASSWORD not in told
    assert PASSWORD not in json.dumps(error_of('{"token": "' + PASSWORD, tool))


@settings(max_examples=8, deadline=None)
@given(
    sign=st.sampled_from(["x", '"', "\\", "\x1b", "é", "你", "\U0001f600"]),
    length=st.integers(1, 250),
    members=st.integers(1, 40),
    values=st.integers(1, 40),
    misspelt=st.booleans(),
)
def test_no_error_is_over_1_kb(
    sign: str, length: int, members: int, values: int, *, misspelt: bool
) -> None:
    """Whatever signs the names and values are made of, and however many there are."""
    names = [f"{sign * length}{number}" for number in range(members)]
    listed = {"enum": [f"{sign * length * 2}{number}" for number in range(values)]}
    tool = tool_of(*names, **{name: dict(listed) for name in names})
    given_ = {f"{name}?" if misspelt else name: sign * 500 for name in names}
    letter = sign if sign.isalpha() else "x"
    others = [Tool(name=f"{letter * length}{number}") for number in range(members)]

    for error in (
        error_of(given_, tool),
        error_of(given_, tool, *others, name=f"{letter * length}?"),
    ):
        assert len(json.dumps(error, ensure_ascii=False).encode()) <= MAX_ERROR
        assert error["message"]
