"""What is told of arguments that do not fit: all that is wrong, by the alternative meant."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contract.judging.oracle import misfits_of_jsonschema
from tests.contract.judging.test_judge import VALUES, schemas
from tests.contract.samples import made
from toolferry import Repairs
from toolferry.advice import hint_of
from toolferry.faults import FaultWriter, schema_error
from toolferry.repairing import fit_arguments
from toolferry.validator import ArgumentValidator

#: Of these, we tell in other words than by the errors of jsonschema.
TOLD_OTHERWISE = ("propertyNames", "unevaluatedProperties")


def union(count: int, *, closed: int = 0) -> dict[str, Any]:
    """Tagged alternatives; the last ones of them name no other members, and say so first."""
    return {
        "oneOf": [
            {
                "type": "object",
                **({"additionalProperties": False} if at >= count - closed else {}),
                "properties": {"kind": {"const": at}, "n": {"type": "integer"}},
            }
            for at in range(count)
        ]
    }


def arrays_of(items: dict[str, Any]) -> dict[str, Any]:
    """A schema of a tool that takes many of them."""
    return {"type": "object", "properties": {"all": {"type": "array", "items": items}}}


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(schemas(st.just({})), schemas, max_leaves=4).filter(
        lambda one: not any(word in json.dumps(one) for word in ("$ref", *TOLD_OTHERWISE))
    ),
    VALUES,
)
def test_what_is_told_is_what_would_be_told_of_jsonschemas_errors(schema: Any, value: Any) -> None:
    """By the alternatives that are taken for meant, too."""
    whole = {"type": "object", "properties": {"m": schema}}
    validator = ArgumentValidator("sample", whole)
    found = misfits_of_jsonschema(whole, {"m": value})
    told = FaultWriter(whole, validator.discretion).faults(found)

    assert set(validator.faults({"m": value})) == set(told)


@pytest.mark.parametrize("count", [2, 20])
def test_a_hundred_values_are_put_right_among_however_many_alternatives(count: int) -> None:
    """It is misfits that are limited, and not what is looked at to find them."""
    tool = made(arrays_of(union(count)))
    arguments = {"all": [{"kind": count - 1, "n": "1"} for _ in range(100)]}

    assert fit_arguments(tool, arguments, Repairs.ALL).repairs == ("coerced",)


@pytest.mark.parametrize(("count", "rest"), [(49, "34 more."), (60, "at least 35 more.")])
def test_a_number_of_further_faults_is_exact_or_at_least(count: int, rest: str) -> None:
    """A model that is told of 15 more takes it that there are 15 more."""
    faults = made(arrays_of(union(60))).validator.faults({"all": [{"kind": "none"}] * count})

    assert schema_error("sample", faults).message.endswith(f"; and {rest}")


def test_no_value_is_told_of_an_alternative_that_it_was_not_meant_for() -> None:
    """Where none is meant, all of them are told."""
    validator = made(arrays_of(union(10, closed=1))).validator

    faults = validator.faults({"all": [{"kind": "none", "z": 1}] * 90})

    assert {fault.path.partition(".")[2] for fault in faults} == {""}


def test_names_that_are_listed_are_hinted_at() -> None:
    """As values of an enumeration are."""
    names = {"enum": ["alpha", "beta"]}
    tool = made({"type": "object", "properties": {"m": {"propertyNames": names}}})

    hint = hint_of(tool, tool.validator.findings({"m": {"alhpa": 1}}))

    assert hint.allowed == ("alpha", "beta")


def test_an_alternative_that_admits_nothing_hides_no_values() -> None:
    """The others list all that is allowed."""
    member = {"oneOf": [False, {"enum": [1, 2]}]}
    tool = made({"type": "object", "properties": {"m": member}})

    assert hint_of(tool, tool.validator.findings({"m": 3})).allowed == (1, 2)


def test_what_several_parts_lead_to_is_told_once_and_hides_nothing() -> None:
    """A model that is put together of two parts, which both name the same members."""
    node = {"$ref": "#/$defs/node"}
    part = {"properties": {"child": node, "v": {"type": "integer"}}}
    whole = {"allOf": [part, {"properties": {"child": node}}]}
    schema = {"properties": {"root": node, "z": {"type": "null"}}, "$defs": {"node": whole}}
    value: dict[str, Any] = {"v": "x"}
    for _ in range(40):
        value = {"child": value}

    faults = made({"type": "object", **schema}).validator.faults({"root": value, "z": 1})

    assert [fault.path[-2:] for fault in faults] == [".v", "z"]


def test_true_is_not_listed_where_one_is() -> None:
    """It is told once, as what it is not."""
    member = {"type": "integer", "enum": [1, 2]}
    validator = made({"type": "object", "properties": {"m": member}}).validator

    assert [fault.expected for fault in validator.faults({"m": True})] == ["one of 1, 2"]
