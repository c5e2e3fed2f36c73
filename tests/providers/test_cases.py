"""Payloads and schemas from public bug reports; see tests/data/cases/ORIGIN.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.providers.wire_types import require_messages
from toolferry import Tool
from toolferry.subschemas import walk
from toolferry_dispatcher.providers import OpenAIChat, Told, assemble, find_name
from toolferry_dispatcher.providers.schemas import SPELLINGS, wire_parameters
from toolferry_dispatcher.reply import ReadCall, Reply

CHAT = OpenAIChat()
CASES = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "data" / "cases").glob("*.json"))
}
RESPONSES = [
    name for name, case in CASES.items() if "response" in case and case["provider"] == CHAT.name
]
SCHEMAS = [
    name
    for name, case in CASES.items()
    if case["expect"].get("validate") and all("arguments" in s for s in case["expect"]["validate"])
]


def tools_of(case: Mapping[str, Any]) -> dict[str, Tool]:
    """The tools of a case by name."""
    return {tool["name"]: Tool(**tool) for tool in case["tools"]}


def read(case: Mapping[str, Any]) -> Reply:
    """Read the response of a case; `<wire:NAME>` stands for the wire name of a tool."""
    text = json.dumps(case["response"], ensure_ascii=False)
    for tool in case["tools"]:
        text = text.replace(f"<wire:{tool['name']}>", CHAT.wire_name(tool["name"]))
    return CHAT.read(assemble(CHAT, text) if case.get("stream") else text)


def expectations(case: Mapping[str, Any]) -> Iterator[tuple[ReadCall, Mapping[str, Any]]]:
    """Pair each call that was read with what is expected of it, by position."""
    return zip(read(case).calls, case["expect"]["calls"], strict=True)


@pytest.mark.parametrize("name", RESPONSES)
def test_the_kind_and_the_text_of_a_case_are_right(name: str) -> None:
    """A response is judged by what it holds."""
    expect = CASES[name]["expect"]

    reply = read(CASES[name])

    assert reply.kind == expect["turn"]
    assert reply.text == expect.get("text", "")


@pytest.mark.parametrize("name", RESPONSES)
def test_every_call_of_a_case_keeps_its_id_or_gets_one(name: str) -> None:
    """A made id is a new one; the tool is found under its own name."""
    tools = tools_of(CASES[name])

    for call, expected in expectations(CASES[name]):
        if isinstance(expected["call_id"], str):
            assert call.call.call_id == expected["call_id"]
        else:
            assert call.call.call_id.startswith("call_")
        assert (find_name(call.call.name, tools) or call.call.name) == expected["name"]


@pytest.mark.parametrize("name", RESPONSES)
def test_the_history_of_a_case_is_one_that_the_api_takes(name: str) -> None:
    """Unique ids, arguments that are JSON objects, one result for each call behind its message."""
    reply = read(CASES[name])
    told = [Told(one.call.call_id, one.call.name, "done") for one in reply.calls]

    message, *results = CHAT.results(reply.message, told)

    require_messages([message, *results])
    assert len(results) == CASES[name]["expect"].get("results", 0)
    assert [one["id"] for one in message.get("tool_calls", [])] == [one.call_id for one in told]
    assert all(
        isinstance(json.loads(one["function"]["arguments"]), dict)
        for one in message.get("tool_calls", [])
    )


def test_missing_fields_are_named_and_no_json_is_blamed() -> None:
    """Case 01: no arguments for a tool that needs some is the schema's fault."""
    case = CASES["01a-empty-arguments"]
    _, move_card = read(case).calls

    faults = tools_of(case)["move_card"].validator.faults(move_card.call.arguments)

    assert move_card.fault is None
    assert {fault.path for fault in faults} == {"card_id", "column"}


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_wire_copy_of_a_cases_schema_is_complete(name: str) -> None:
    """Every array has `items` that are an object, every object has `properties`."""
    tool = Tool(name="any", parameters=CASES[name]["schema"])

    for _, part in walk(wire_parameters(SPELLINGS["openai-chat"].plain, tool)):
        assert part.get("type") != "array" or isinstance(part["items"], dict)
        assert part.get("type") != "object" or "properties" in part


@pytest.mark.parametrize("name", SCHEMAS)
def test_arguments_are_judged_by_the_schema_as_written(name: str) -> None:
    """The wire copy changes nothing about what is valid."""
    tool = Tool(name="any", parameters=CASES[name]["schema"])

    for sample in CASES[name]["expect"]["validate"]:
        if isinstance(sample["valid"], bool):  # the others speak of repairs, and of depths
            assert bool(tool.validator.faults(sample["arguments"])) is not sample["valid"]
