"""Repairs between reading and judging: by provider, by setting, with members under other names."""

from __future__ import annotations

import pytest

from toolferry import CallError, ErrorCode, Repairs, Tool, ToolCall
from toolferry_dispatcher.providers import provider
from toolferry_dispatcher.repairing import held_to, repaired, repairs_for
from toolferry_dispatcher.reply import ReadCall

TOOL = Tool(
    name="send",
    parameters={
        "type": "object",
        "properties": {"note": {"type": "string"}, "Content-Type": {"type": "string"}},
    },
)


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("openai-chat", {}),
        ("openai-responses", {}),
        ("plain", {"note": None}),
        ("anthropic", {"note": None}),
        ("gemini", {"note": None}),
        ("gemini-json-schema", {"note": None}),
        ("gemini-2", {"note": None}),
        ("deepseek", {}),
        ("vllm", {"note": None}),
        ("bedrock-converse", {"note": None}),
        ("cohere-v2", {"note": None}),
    ],
)
def test_a_null_is_dropped_where_a_strict_mode_can_have_forced_it(
    name: str, left: dict[str, object]
) -> None:
    """Elsewhere it is the model's own, and refused."""
    read = ReadCall(ToolCall("c1", "send", {"note": None}))

    one = repaired(read, "send", TOOL, repairs_for(provider(name), Repairs.ALL))

    assert one.call.arguments == left


def test_a_member_gets_the_name_back_that_its_tool_knows() -> None:
    """That is no repair: the wire has the name from us."""
    read = ReadCall(ToolCall("c1", "send", {"Content_Type": "text/plain"}))

    one = repaired(read, "send", TOOL, Repairs.NONE)

    assert one.call.arguments == {"Content-Type": "text/plain"}
    assert (one.repairs, one.original) == ((), None)


def test_a_call_that_took_a_repair_that_is_off_is_what_strict_reading_said() -> None:
    """Its siblings stay as they are."""
    error = CallError.of(ErrorCode.INVALID_JSON, "Fenced.")
    read = ReadCall(ToolCall("c1", "send", {"note": "a"}), None, ("fences",), error)

    assert held_to(read, Repairs.ALL) is read
    strict = held_to(read, Repairs.ALL.without("fences"))
    assert (strict.call.arguments, strict.fault, strict.repairs) == ({}, error, ())


def test_a_tool_whose_schema_cannot_be_enforced_is_left_to_the_checks() -> None:
    """They refuse each call of it."""
    broken = Tool(name="send", parameters={"type": "nonsense"})
    read = ReadCall(ToolCall("c1", "send", {"note": None}))

    assert repaired(read, "send", broken, Repairs.ALL).call is read.call
