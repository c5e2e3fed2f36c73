"""Cases from public bug reports, as far as the contract answers for them.

Payloads are in tests/data/cases and schemas in tests/data/schemas, each with its ORIGIN.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import ArgumentFault, Registry, SchemaInvalid, parse_arguments, schema_error

DATA = Path(__file__).parents[1] / "data"
PAYLOADS = ("01a", "01b", "02a", "04", "06a", "06b", "07")


def load(folder: str, pattern: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the cases of a folder."""
    for path in sorted((DATA / folder).glob(pattern)):
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))


SCHEMAS = dict(load("schemas", "*.json"))


def payloads() -> Iterator[Any]:
    """Give every call of the payload cases with what is expected of it."""
    for number in PAYLOADS:
        for name, case in load("cases", f"{number}-*.json"):
            schemas = {tool["name"]: tool["parameters"] for tool in case["tools"]}
            calls = case["response"]["choices"][0]["message"]["tool_calls"]
            for call, expected in zip(calls, case["expect"]["calls"], strict=True):
                yield pytest.param(
                    schemas[call["function"]["name"]],
                    call["function"].get("arguments"),
                    expected,
                    id=f"{name}-{call['id']}",
                )


def judged(schema: Mapping[str, Any], sent: Any) -> tuple[str, Any]:
    """Read and judge arguments: `accept` with them, or a code with its message."""
    try:
        arguments = parse_arguments(sent)
    except ArgumentFault as fault:
        return fault.code.value, fault.message
    faults = made(dict(schema)).validator.faults(arguments)
    return ("schema", schema_error("sample", faults).message) if faults else ("accept", arguments)


@pytest.mark.parametrize(("schema", "sent", "expected"), list(payloads()))
def test_a_payload_of_the_wild_is_judged_right(
    schema: dict[str, Any], sent: Any, expected: dict[str, Any]
) -> None:
    """Accepted with exact arguments, or refused with its code and the names that matter."""
    verdict, told = judged(schema, sent)

    if expected["outcome"] == "accept":
        assert (verdict, told) == ("accept", expected["arguments"])
    elif expected["outcome"] == "reject":
        assert verdict == expected["error"]
        assert all(word in told for word in expected.get("mentions", ()))
        assert not any(word in told for word in expected.get("must_not_mention", ()))
    else:
        assert verdict == "schema" or told == expected["arguments"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_of_the_wild_is_taken_or_refused(name: str) -> None:
    """Taken as it is, without a change; or refused with words that help."""
    case = SCHEMAS[name]
    schema = case["schema"]

    if case["expect"]["register"] == "error":
        with pytest.raises(SchemaInvalid) as refused:
            Registry().register(made(schema))
        assert all(word in str(refused.value) for word in case["expect"]["mentions"])
    else:
        assert Registry().register(made(schema)).parameters == schema


def validations() -> Iterator[Any]:
    """Give the arguments of every schema case that are sent as they are."""
    for name, case in SCHEMAS.items():
        for number, check in enumerate(case["expect"].get("validate", ())):
            if "arguments" in check:
                yield pytest.param(case["schema"], check, id=f"{name}-{number}")


@pytest.mark.parametrize(("schema", "check"), list(validations()))
def test_arguments_are_judged_by_the_schema_as_it_was_given(
    schema: dict[str, Any], check: dict[str, Any]
) -> None:
    """The message names the alternatives; what only a repair would mend is refused."""
    verdict, told = judged(schema, check["arguments"])

    assert (verdict == "accept") is (check["valid"] is True)
    assert all(word in str(told) for word in check.get("mentions", ()))


def test_children_nested_five_thousand_deep_are_too_deep() -> None:
    """Case 17: a schema that refers to itself, and a payload that follows it down."""
    node = '{"value": "a", "children": ['
    text = '{"root": ' + node * 5_000 + "]}" * 5_000 + "}"

    assert judged(SCHEMAS["17-recursive"]["schema"], text)[0] == "too_deep"
