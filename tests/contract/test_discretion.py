"""What a model is told holds nothing of what a schema marks as secret."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.contract.samples import made
from tests.counting import calls_in
from toolferry.advice import hint_of
from toolferry.discretion import discretion_of
from toolferry.result import Fault

HIDDEN = "hunter2secret"
INTEGER = {"type": "integer"}
SECRET = {"type": "string", "writeOnly": True, "minLength": 50}


def of(**properties: Any) -> dict[str, Any]:
    """Give the schema of an object with these members."""
    return {"type": "object", "properties": properties}


def map_of(schema: Any, **keywords: Any) -> dict[str, Any]:
    """Give the schema of an object whose members have any names."""
    return {"type": "object", "additionalProperties": schema, **keywords}


LOGIN = {**of(token=SECRET, user=INTEGER), "required": ["token"]}
DYNAMIC = {"$dynamicRef": "#it"}


def told(schema: dict[str, Any], arguments: dict[str, Any]) -> tuple[Fault, ...]:
    """Give the faults of arguments that do not fit, of a tool whose advice tells no secret."""
    tool = made(schema)
    findings = tool.validator.findings(arguments)
    assert HIDDEN not in repr(hint_of(tool, findings))
    return findings.faults


def defined(schema: dict[str, Any], **properties: Any) -> dict[str, Any]:
    """Give an object schema with something that is referred to by `DYNAMIC`."""
    return {**of(**properties), "$defs": {"it": {"$dynamicAnchor": "it", **schema}}}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (map_of(LOGIN), {"db": HIDDEN}),
        (map_of(LOGIN), {"user": HIDDEN}),
        (of(logins=map_of(LOGIN)), {"logins": {"db": HIDDEN}}),
        (of(logins=map_of(LOGIN)), {"logins": {"user": HIDDEN}}),
        (of(logins={"patternProperties": {".": LOGIN}}), {"logins": {"db": HIDDEN}}),
        (of(logins={"type": "array", "items": LOGIN}), {"logins": [HIDDEN]}),
    ],
)
def test_a_plain_value_in_the_place_of_what_holds_a_secret_is_not_shown(
    schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    """It may be the secret itself; nor is it shown where it is repeated."""
    faults = told(schema, arguments)

    assert [fault.got for fault in faults] == ["string, not shown"]
    assert discretion_of(schema).secrets(arguments) == (HIDDEN,)


def test_what_stands_beside_a_secret_is_shown() -> None:
    """A model can mend it best when it sees what it sent."""
    schema = of(logins=map_of(LOGIN), login=LOGIN, limit=INTEGER)
    login = {"token": "x" * 50, "user": "ann"}

    faults = told(schema, {"logins": {"db": login}, "login": login, "limit": "ten"})

    assert {(fault.path, fault.got) for fault in faults} == {
        ("logins.db.user", "string"),
        ("login.user", '"ann"'),
        ("limit", '"ten"'),
    }


@pytest.mark.parametrize(
    ("schema", "arguments", "path"),
    [
        (defined(SECRET, token=DYNAMIC), {"token": HIDDEN}, "token"),
        (defined(LOGIN, login=DYNAMIC), {"login": {"token": HIDDEN}}, "login.token"),
    ],
)
def test_a_secret_behind_a_dynamic_reference_is_not_shown(
    schema: dict[str, Any], arguments: dict[str, Any], path: str
) -> None:
    """It is followed as it is when the value is judged."""
    (fault,) = told(schema, arguments)

    assert (fault.path, fault.got) == (path, "string, not shown")


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (map_of(INTEGER, writeOnly=True), {HIDDEN: "x"}),
        ({**of(a=INTEGER), "writeOnly": True, "additionalProperties": False}, {HIDDEN: 1}),
        (map_of(SECRET, propertyNames={"maxLength": 3}), {HIDDEN: "x" * 50}),
        (map_of(map_of(INTEGER), writeOnly=True), {HIDDEN: {"a": "x"}}),
    ],
)
def test_a_path_ends_where_a_name_is_a_part_of_a_secret(
    schema: dict[str, Any], value: dict[str, Any]
) -> None:
    """The names of members may be as secret as what they name."""
    (fault,) = told(of(login=schema), {"login": value})

    assert fault.path == "login"
    assert HIDDEN not in repr(fault)


def test_a_path_into_a_secret_is_told_as_far_as_the_schema_names_it() -> None:
    """What a schema says is no secret."""
    login = {**of(keys={"type": "array", "items": of(id=INTEGER)}), "writeOnly": True}

    (fault,) = told(of(login=login), {"login": {"keys": [{"id": "x"}]}})

    assert fault.path == "login.keys[0].id"


@pytest.mark.parametrize(
    "rest",
    [
        {"additionalProperties": INTEGER},
        {"unevaluatedProperties": INTEGER},
        {"patternProperties": {"^t": INTEGER}},
        {"additionalProperties": of(token=INTEGER, user=INTEGER)},
    ],
)
@pytest.mark.parametrize("value", [HIDDEN, [HIDDEN], {"user": HIDDEN}])
def test_a_secret_under_a_misspelt_name_is_not_shown(rest: dict[str, Any], value: Any) -> None:
    """Also where a schema says what members of other names are."""
    faults = told({**of(token=SECRET), **rest}, {"tokn": value})

    assert faults
    assert HIDDEN not in repr(faults)


@pytest.mark.parametrize(
    "secret",
    [
        {"writeOnly": True, "const": HIDDEN},
        {"writeOnly": True, "enum": [HIDDEN]},
        {"writeOnly": True, "anyOf": [{"const": HIDDEN}, INTEGER]},
        {"type": "array", "items": {"format": "password", "const": HIDDEN}},
    ],
)
def test_the_values_that_a_secret_may_have_are_not_told(secret: dict[str, Any]) -> None:
    """Neither at its place nor at that of what holds it."""
    kind = {"const": "basic"}
    schema = of(login={**of(token=secret, kind=kind), "required": ["token", "kind"]})

    faults = told(schema, {"login": {"token": "x", "kind": "x"}}) + told(schema, {"login": 1})

    assert HIDDEN not in repr(faults)
    assert {fault.expected for fault in faults} >= {'"basic"', 'object with token, kind = "basic"'}


@pytest.mark.parametrize(
    "again",
    [
        {"allOf": [of(token={"enum": [HIDDEN]})]},
        {"dependentSchemas": {"user": of(token={"const": HIDDEN})}},
    ],
)
def test_the_values_of_a_secret_are_not_told_by_another_schema_of_it(again: dict[str, Any]) -> None:
    """It is secret by its name."""
    schema = {**of(token={"type": "string", "writeOnly": True}, user=INTEGER), **again}

    faults = told(schema, {"token": "x", "user": 1})

    assert faults
    assert HIDDEN not in repr(faults)


def test_secrets_are_found_in_one_walk_over_the_schema() -> None:
    """Models that all refer to each other are walked once, not once from each place."""

    def mutual(count: int) -> dict[str, Any]:
        models = {f"m{n}": {"$ref": f"#/$defs/m{n}"} for n in range(count)}
        return {**of(token=SECRET, **models), "$defs": dict.fromkeys(models, of(**models))}

    few, many = (calls_in(partial(discretion_of, one)) for one in map(mutual, (10, 20)))

    assert many < 6 * few  # there are four times as many references


def test_what_is_wrong_inside_of_a_secret_map_is_told_of_its_inside() -> None:
    """The map itself is of the right kind, and a model should not think otherwise."""
    secrets = {"type": "object", "additionalProperties": {"type": "string", "writeOnly": True}}

    (fault,) = told(of(env=secrets), {"env": {"A": 1}})

    assert (fault.path, fault.expected) == ("env", "inside of it, string")


@pytest.mark.parametrize("word", ["then", "not"])
def test_conditions_do_not_tell_what_a_secret_may_be(word: str) -> None:
    """They name the member once more."""
    again = of(pin={"const": HIDDEN})
    schema = {**of(pin={"type": "string", "writeOnly": True}), "if": True, word: again}

    assert HIDDEN not in repr(told(schema, {"pin": "1"}) + told(schema, {"pin": HIDDEN}))
