"""The payloads of public bug reports, as the Responses API would have brought them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from tests.providers.responses_samples import RESPONSES, follow_up, message, text
from tests.providers.responses_types import require_input, require_tools
from tests.providers.test_cases import CASES
from tests.providers.test_cases import RESPONSES as CHAT
from tests.providers.test_cases import read as read_chat
from toolferry import Repairs, Tool
from toolferry.repairing import fit_arguments
from toolferry.subschemas import walk
from toolferry_dispatcher.providers import Strictness, export_tools
from toolferry_dispatcher.reply import Reply

#: The cases whose response was not streamed.
NAMES = [name for name in CHAT if not CASES[name].get("stream")]
#: Why a response is incomplete, by the finish reason that says so in Chat Completions.
REASONS = {"length": "max_output_tokens", "content_filter": "content_filter"}


def items_of(said: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Write a message of Chat Completions as items."""
    if isinstance(said.get("content"), str):
        yield message(text(said["content"]))
    for one in said.get("tool_calls") or ():
        function = dict(one["function"])
        yield {"type": "function_call", "call_id": one.get("id"), **function}


def read(case: Mapping[str, Any]) -> Reply:
    """Read the response of a case; `<wire:NAME>` stands for the wire name of a tool."""
    choice = case["response"]["choices"][0]
    reason = REASONS.get(choice.get("finish_reason"))
    body = {
        "id": "resp_1",
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason},
        "output": list(items_of(choice["message"])),
    }
    written = json.dumps(body, ensure_ascii=False)
    for tool in case["tools"]:
        written = written.replace(f"<wire:{tool['name']}>", RESPONSES.wire_name(tool["name"]))
    return RESPONSES.read(written)


@pytest.mark.parametrize("name", NAMES)
def test_every_call_of_a_case_is_read_as_in_chat_completions(name: str) -> None:
    """The same arguments, faults and repairs; the ids of those that have one."""
    chat = read_chat(CASES[name])

    reply = read(CASES[name])

    assert reply.kind is chat.kind
    for one, known, expected in zip(
        reply.calls, chat.calls, CASES[name]["expect"]["calls"], strict=True
    ):
        assert replace(one, call=known.call) == known
        assert (one.call.name, one.call.arguments) == (known.call.name, known.call.arguments)
        if isinstance(expected["call_id"], str):
            assert one.call.call_id == expected["call_id"]


@pytest.mark.parametrize("name", NAMES)
def test_what_follows_a_case_is_what_the_api_takes(name: str) -> None:
    """One output for each call, whatever became of it."""
    reply = read(CASES[name])

    sent = follow_up(reply)

    require_input(sent)
    assert len([one for one in sent if "output" in one]) == CASES[name]["expect"]["results"]
    assert reply.kind == CASES[name]["expect"]["turn"]


def test_optional_fields_may_be_null_in_strict_mode_and_are_left_out_again() -> None:
    """Case 18: all are required on the wire; the tool's own schema is the one that counts."""
    case = CASES["18-strict-optional"]
    tool = Tool(name="search", parameters=case["schema"])

    [described] = export_tools("openai-responses", [tool], Strictness.DEMANDED).tools
    parameters = described["parameters"]

    require_tools([described])
    assert described["strict"] is True
    objects = [part for _, part in walk(parameters) if "properties" in part]
    assert [one["additionalProperties"] for one in objects] == [False, False]
    assert all(set(one["required"]) == set(one["properties"]) for one in objects)
    for sample in case["expect"]["handler_receives"]:
        assert tool_of(parameters).validator.faults(sample["from"]) == ()
        assert fit_arguments(tool, sample["from"], Repairs.ALL).arguments == sample["gets"]


def tool_of(parameters: dict[str, Any]) -> Tool:
    """A tool that takes what the wire copy says."""
    return Tool(name="wire", parameters=parameters)
