"""Every payload from public bug reports, looked at in its own format; see tests/data/cases."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from toolferry import Registry, Repairs, Tool
from toolferry.repairing import fit_arguments
from toolferry_dispatcher.looking import Look, SeenCall, look
from toolferry_dispatcher.providers import assemble, provider

CASES = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parents[1] / "data" / "cases").glob("*.json"))
}
RESPONSES = [name for name, case in CASES.items() if "response" in case]
SCHEMAS = [name for name, case in CASES.items() if "validate" in case["expect"]]
RECEIVED = [name for name, case in CASES.items() if "handler_receives" in case["expect"]]
#: The names of the repairs in the cases, and ours.
REPAIRS = {
    "empty_arguments": "empty",
    "double_encoded": "encoded_twice",
    "double_encoded_field": "encoded_twice",
    "code_fence": "fences",
    "trailing_text": "trailing_words",
}


def seen(name: str, repairs: Repairs = Repairs.ALL) -> Look:
    """Look at the response of a case; `<wire:NAME>` stands for the wire name of a tool."""
    case = CASES[name]
    adapter = provider(case["provider"])
    text = json.dumps(case["response"], ensure_ascii=False)
    for tool in case["tools"]:
        text = text.replace(f"<wire:{tool['name']}>", adapter.wire_name(tool["name"]))
    registry = Registry()
    for tool in case["tools"]:
        registry.declare(Tool(**tool))
    body = assemble(adapter, json.loads(text)) if case.get("stream") else text
    return look(body, adapter, registry, repairs)


def pairs(
    name: str, repairs: Repairs = Repairs.ALL
) -> Iterator[tuple[SeenCall, Mapping[str, Any]]]:
    """Pair each call with what is expected of it, by position."""
    return zip(seen(name, repairs).calls, CASES[name]["expect"]["calls"], strict=True)


@pytest.mark.parametrize("name", RESPONSES)
def test_a_case_is_the_turn_that_it_should_be(name: str) -> None:
    """Decided by what it holds."""
    assert seen(name).turn == CASES[name]["expect"]["turn"]


@pytest.mark.parametrize("name", RESPONSES)
def test_every_call_of_a_case_is_accepted_or_refused_rightly(name: str) -> None:
    """With exactly the expected arguments and repairs, or with the expected code and words."""
    for call, expected in pairs(name):
        told = json.dumps(call.error, ensure_ascii=False)
        assert expected["outcome"] in {"accept-or-reject", call.to_json()["outcome"]}
        assert call.name == expected["name"]
        if call.error is None:
            assert call.arguments == expected["arguments"]
            assert call.repairs or not expected.get("repair")
            assert [REPAIRS[one] for one in expected.get("repair", ())] in ([], [*call.repairs])
        else:
            assert call.error["code"] == expected["error"]
            assert all(word in told for word in expected.get("mentions", ()))
            assert not any(word in told for word in expected.get("must_not_mention", ()))


@pytest.mark.parametrize("name", RESPONSES)
def test_every_call_of_a_case_keeps_its_id_or_gets_one(name: str) -> None:
    """A made id says so; the same response gives the same ids."""
    for call, expected in pairs(name):
        generated = isinstance(expected["call_id"], dict)
        assert call.generated_id is generated
        assert generated or call.call_id == expected["call_id"]
    ids = [call.call_id for call in seen(name).calls]
    assert len(set(ids)) == len(ids)
    assert ids == [call.call_id for call in seen(name).calls]


def test_the_wire_names_of_a_case_are_legal() -> None:
    """Case 12: whatever the tools are called, in the formats that say which names they take."""
    case = CASES["12-tool-names"]
    adapter = provider(case["provider"])
    names = [adapter.wire_name(tool["name"]) for tool in case["tools"]]

    assert all(re.fullmatch(case["expect"]["wire_name_pattern"], name) for name in names)
    assert len(set(names)) == len(case["tools"])


@pytest.mark.parametrize("name", RESPONSES)
def test_without_repairs_a_case_is_judged_strictly(name: str) -> None:
    """What would have been put right is refused, and nothing else changes."""
    for (call, expected), mended in zip(pairs(name, Repairs.NONE), seen(name).calls, strict=True):
        assert call.repairs == ()
        if mended.repairs:
            assert call.error is not None
            assert call.error["code"] in expected.get("strict_mode", "invalid_json schema")
        else:
            assert call == mended


@pytest.mark.parametrize("name", SCHEMAS)
def test_arguments_of_a_case_are_judged_by_the_schema_as_written(name: str) -> None:
    """Whatever a provider's wire copy makes of it."""
    tool = Tool(name="any", parameters=CASES[name]["schema"])

    for sample in CASES[name]["expect"]["validate"]:
        arguments = sample.get("arguments", _nested(5_000))
        fitted = fit_arguments(tool, arguments, Repairs.ALL)
        faults = tool.validator.faults(fitted.arguments)
        if sample["valid"] == "only after the double-encoding repair":
            assert fitted.repairs == ("encoded_twice",)
            assert tool.validator.faults(arguments)
        assert bool(faults) is (sample["valid"] in (False, "too_deep"))
        told = " ".join(f"{one.path} {one.expected}" for one in faults)
        assert all(word in told for word in sample.get("mentions", ()))


def _nested(levels: int) -> dict[str, Any]:
    node: dict[str, Any] = {"value": "a"}
    for _ in range(levels):
        node = {"value": "a", "children": [node]}
    return {"root": node}


@pytest.mark.parametrize("name", RECEIVED)
def test_a_handler_receives_what_was_meant(name: str) -> None:
    """Not what a strict mode or a narrow format made of it."""
    tool = Tool(name="any", parameters=CASES[name]["schema"])

    for sample in CASES[name]["expect"]["handler_receives"]:
        fitted = fit_arguments(tool, sample["from"], Repairs.ALL)
        assert fitted.arguments == sample["gets"]
        assert bool(fitted.repairs) is (sample["from"] != sample["gets"])
