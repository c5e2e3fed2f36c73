"""What goes over the wire of schemas from public bug reports; see tests/data/cases/ORIGIN.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.providers.schema_rules import JUDGES, nodes
from toolferry import Tool
from toolferry.references import resolve
from toolferry.repairing import Repairs, fit_arguments
from toolferry_dispatcher.providers.schemas import SPELLINGS, Strictness, WireTool, wire_tools

FILES = sorted((Path(__file__).parents[1] / "data" / "cases").glob("*.json"))
ALL = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
CASES = {name: case for name, case in ALL.items() if "schema" in case}
GOOD = [name for name, case in CASES.items() if case["expect"]["register"] != "error"]


def wired(name: str, provider: str | None = None) -> WireTool:
    """Give the tool of a case as its provider is told of it, or another one."""
    case = CASES[name]
    strictness = Strictness.WHERE_POSSIBLE if case.get("strict") else Strictness.NEVER
    tool = Tool(name="any", parameters=case["schema"])
    spelling = SPELLINGS[provider or case.get("provider") or "openai-chat"]
    return wire_tools(spelling, [tool], strictness)[0]


def of_kind(name: str, key: str) -> Iterator[Mapping[str, Any]]:
    """Give the schemas of a wire copy that hold a keyword."""
    return (node for _, node in nodes(wired(name).parameters) if key in node)


def received() -> Iterator[Any]:
    """Give what a model sends and what a handler gets."""
    for name, case in CASES.items():
        for number, one in enumerate(case["expect"].get("handler_receives", ())):
            yield pytest.param(case["schema"], one["from"], one["gets"], id=f"{name}-{number}")


def having(key: str) -> list[str]:
    """Give the cases that expect something."""
    return [name for name, case in CASES.items() if key in case["expect"]]


@pytest.mark.parametrize("name", having("wire_has_no"))
def test_a_keyword_that_is_not_known_is_nowhere(name: str) -> None:
    """At no depth; members may be called so."""
    refused = set(CASES[name]["expect"]["wire_has_no"])

    assert not any(refused & node.keys() for _, node in nodes(wired(name).parameters))


@pytest.mark.parametrize("name", having("wire_root_has_no"))
def test_a_root_is_no_composition(name: str) -> None:
    """Both OpenAI and Anthropic refuse one."""
    assert not set(CASES[name]["expect"]["wire_root_has_no"]) & wired(name).parameters.keys()


@pytest.mark.parametrize("name", having("wire_at"))
def test_the_wire_copy_says_what_a_case_expects(name: str) -> None:
    """At the places that the case names."""
    parameters = wired(name).parameters

    for place, expected in CASES[name]["expect"]["wire_at"].items():
        assert resolve(parameters, f"#{place}") == expected


@pytest.mark.parametrize("name", having("wire_every_object_has"))
def test_strict_objects_are_closed_and_want_every_member(name: str) -> None:
    """Optional ones are required, and may be null."""
    case, copy = CASES[name]["expect"], wired(name)

    assert copy.strict
    assert not list(JUDGES[CASES[name]["provider"]][1](copy.parameters))
    for node in of_kind(name, "properties"):
        assert case["wire_every_object_has"].items() <= node.items()
        assert set(node["required"]) == set(node["properties"])
    for path in case["wire_nullable"]:
        assert is_nullable(resolve(copy.parameters, "#" + path.replace("/", "/properties/")))


def is_nullable(schema: Mapping[str, Any]) -> bool:
    """Say whether a schema takes null, in either of two ways."""
    return "null" in schema.get("type", ()) or {"type": "null"} in schema.get("anyOf", ())


@pytest.mark.parametrize("name", having("wire_enum_all_strings"))
def test_enums_are_texts_where_nothing_else_is_taken(name: str) -> None:
    """Numbers and booleans too; null is a flag."""
    for node in of_kind(name, "enum"):
        assert node["type"] == "string"
        assert all(isinstance(value, str) for value in node["enum"])


@pytest.mark.parametrize("name", having("wire_every_array_has"))
def test_every_array_says_of_what_and_every_object_of_which_members(name: str) -> None:
    """Some APIs refuse a schema that leaves that open."""
    assert all(isinstance(one["items"], dict) for one in nodes_of_type(name, "array"))
    assert all(
        CASES[name]["expect"]["wire_every_object_has_key"] in one
        for one in nodes_of_type(name, "object")
    )


def nodes_of_type(name: str, kind: str) -> list[Mapping[str, Any]]:
    """Give the schemas of a wire copy that are of one type."""
    found = [node for _, node in nodes(wired(name).parameters) if node.get("type") == kind]
    assert found
    return found


@pytest.mark.parametrize("name", having("wire_equals_at_least"))
def test_a_tool_without_parameters_is_told_of_as_one(name: str) -> None:
    """As an object without members, not as nothing."""
    assert CASES[name]["expect"]["wire_equals_at_least"].items() <= wired(name).parameters.items()


@pytest.mark.parametrize(("schema", "sent", "gets"), list(received()))
def test_a_handler_gets_what_its_own_schema_speaks_of(
    schema: dict[str, Any], sent: dict[str, Any], gets: dict[str, Any]
) -> None:
    """What the wire copy forced into the arguments is undone."""
    tool = Tool(name="any", parameters=schema)

    fitted = fit_arguments(tool, sent, Repairs.ALL)

    assert dict(fitted.arguments) == gets
    assert not tool.validator.faults(fitted.arguments)


@pytest.mark.parametrize("provider", SPELLINGS)
@pytest.mark.parametrize("name", GOOD)
def test_every_provider_takes_the_schema_of_every_case(name: str, provider: str) -> None:
    """Strict where that is possible; the registered schema stays as it is."""
    tool = Tool(name="any", parameters=CASES[name]["schema"])
    before = deepcopy(tool.parameters)
    plain_judge, strict_judge = JUDGES[provider]

    plain = wire_tools(SPELLINGS[provider], [tool])[0]
    strict = wire_tools(SPELLINGS[provider], [tool], Strictness.WHERE_POSSIBLE)[0]

    assert not list(plain_judge(plain.parameters))
    assert not list((strict_judge if strict.strict else plain_judge)(strict.parameters))
    assert tool.parameters == before


def test_a_schema_that_refers_to_itself_stays_so_where_that_is_known() -> None:
    """OpenAI takes it in strict mode; Anthropic does not, and is told of it as it is."""
    tool = Tool(name="any", parameters=CASES["17-recursive"]["schema"])

    openai = wire_tools(SPELLINGS["openai-chat"], [tool], Strictness.WHERE_POSSIBLE)[0]
    anthropic = wire_tools(SPELLINGS["anthropic"], [tool], Strictness.WHERE_POSSIBLE)[0]

    assert openai.strict
    assert openai.parameters["properties"]["root"] == {"$ref": "#/$defs/Node"}
    assert not anthropic.strict
    assert anthropic.losses[0].detail == "it refers to itself"
