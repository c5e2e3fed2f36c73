"""The tool: its defaults, its ranges, and how it calls its handler."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.contract.samples import context_for_handlers, echo, made
from toolferry import (
    EffectClass,
    HandlerMissing,
    Lane,
    ResultFormat,
    Risk,
    SchemaInvalid,
    Tool,
    ToolContext,
    ToolInvalid,
    tool,
)


async def wait() -> None:
    """Do nothing, asynchronously."""


def test_a_tool_has_documented_defaults_and_none_is_unlimited() -> None:
    """What is not said is small, safe and finite."""
    made_bare = Tool(name="bare", handler=echo)

    assert made_bare.parameters == {"type": "object", "properties": {}}
    assert (made_bare.timeout, made_bare.deadline) == (30.0, 120.0)
    assert made_bare.max_result_bytes == 64 * 1024
    assert made_bare.retry.max_attempts == 3
    assert (made_bare.effect, made_bare.idempotent, made_bare.risk) == (
        EffectClass.READ,
        True,
        Risk.LOW,
    )
    assert made_bare.result_format is ResultFormat.ENVELOPE
    assert (made_bare.display, made_bare.version, made_bare.cost) == ("bare", "1", 1.0)
    assert made_bare.created_at.tzinfo is UTC


@pytest.mark.parametrize(
    ("effect", "risk", "repeatable"),
    [
        (EffectClass.READ, Risk.LOW, True),
        (EffectClass.WRITE, Risk.MEDIUM, False),
        (EffectClass.DESTRUCTIVE, Risk.HIGH, False),
    ],
)
def test_risk_and_repeatability_follow_from_the_effect_class(
    effect: EffectClass, risk: Risk, *, repeatable: bool
) -> None:
    """Only a read is repeatable by default."""
    sample = made(effect=effect)

    assert (sample.risk, sample.idempotent, sample.repeatable) == (risk, repeatable, repeatable)


def test_an_idempotent_write_is_repeatable() -> None:
    """A write says for itself that it may be repeated."""
    assert made(effect=EffectClass.WRITE, idempotent=True).repeatable


def test_a_read_is_repeatable_even_when_it_is_not_called_idempotent() -> None:
    """What changes nothing may always run again."""
    assert made(idempotent=False).repeatable


def test_the_deadline_is_never_below_the_timeout() -> None:
    """A long timeout moves the default deadline with it."""
    assert made(timeout=600).deadline == 600


def test_words_of_closed_sets_may_be_given_as_text() -> None:
    """A definition read from a file holds plain words."""
    sample = made(effect="write", risk="low", lane="process", result_format="text")

    assert sample.effect is EffectClass.WRITE
    assert (sample.risk, sample.lane) == (Risk.LOW, Lane.PROCESS)
    assert sample.result_format is ResultFormat.TEXT


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("timeout", 0, "timeout is 0: it must be a number from 0.001 to 604800.0"),
        ("timeout", float("inf"), "timeout is inf"),
        ("timeout", float("nan"), "timeout is nan"),
        ("timeout", "30", "timeout is '30'"),
        ("timeout", True, "timeout is True"),
        ("deadline", 10, "deadline is 10: it must be a number from 30.0"),
        ("deadline", 10_000_000, "deadline is 10000000"),
        ("cost", -1, "cost is -1"),
        ("max_result_bytes", 15, "max_result_bytes is 15: it must be a whole number, 16 to"),
        ("max_result_bytes", 1e6, "max_result_bytes is 1000000.0"),
        ("max_result_bytes", 100 * 1024 * 1024, "max_result_bytes is 104857600"),
        ("version", "", "version is empty"),
        ("created_at", datetime(2025, 1, 1), "created_at is 2025-01-01 00:00:00, without a time"),  # noqa: DTZ001 -- the fault
        ("tags", "urgent", "tags is 'urgent': it must be a set of names"),
        ("permissions", 7, "permissions is 7: it must be a set of names"),
        ("allowed_roles", ["admin", ""], "allowed_roles must hold names only"),
        ("environments", [1], "environments must hold names only"),
        ("effect", "chaos", "effect: 'chaos' is not a valid EffectClass"),
        ("adapter", wait, "adapter is async"),
        ("non_retryable", ("ValueError",), "non_retryable holds 'ValueError'"),
        ("non_retryable", (dict,), "non_retryable holds <class 'dict'>"),
    ],
)
def test_a_field_out_of_its_range_is_refused_with_a_sentence(
    field: str, value: Any, sentence: str
) -> None:
    """The error names the tool, the field and what is allowed."""
    with pytest.raises(ToolInvalid) as refused:
        made(**{field: value})

    assert str(refused.value).startswith(f"sample: {sentence}")


def test_collections_of_names_become_frozen_sets() -> None:
    """A list is as good as a set."""
    sample = made(tags=["b", "a"], permissions={"read"})

    assert sample.tags == frozenset({"a", "b"})
    assert sample.permissions == frozenset({"read"})


def test_an_async_handler_runs_in_the_async_lane() -> None:
    """The lane follows from the handler."""
    assert made(handler=wait).lane is Lane.ASYNC
    assert made(handler=echo).lane is Lane.PROCESS


def test_an_async_handler_may_be_sent_to_the_process_lane() -> None:
    """What can be killed may be async too."""
    assert made(handler=wait, lane=Lane.PROCESS).lane is Lane.PROCESS


def test_a_sync_handler_on_the_async_lane_is_refused() -> None:
    """It would stall the event loop for all other calls."""
    with pytest.raises(ToolInvalid, match="would stall the event loop"):
        made(handler=echo, lane=Lane.ASYNC)


def test_a_definition_without_a_handler_may_name_its_lane() -> None:
    """There is no handler that could be of the wrong kind."""
    assert Tool(name="only_told", lane=Lane.ASYNC).lane is Lane.ASYNC


def test_the_schema_cannot_be_changed_from_outside() -> None:
    """The tool keeps a copy of its own."""
    properties = {"a": {"type": "string"}}
    sample = made({"type": "object", "properties": properties})

    properties["a"]["type"] = "integer"
    assert sample.parameters["properties"]["a"] == {"type": "string"}


def test_a_schema_that_is_no_json_data_is_refused() -> None:
    """A set or a NaN could not be sent to any model."""
    with pytest.raises(SchemaInvalid, match="the schema is no JSON data"):
        made({"type": "object", "required": {"a"}})
    with pytest.raises(SchemaInvalid, match="the schema is no JSON data"):
        made({"type": "object", "maxProperties": float("nan")})


def test_a_tool_calls_its_handler() -> None:
    """A decorated function can be tested like any other."""
    assert made(handler=echo)(a=1) == {"a": 1}
    assert asyncio.run(made(handler=wait)()) is None


def test_a_tool_without_a_handler_cannot_be_called_or_bound() -> None:
    """The error says what is missing."""
    told = Tool(name="only_told")

    with pytest.raises(HandlerMissing, match="only_told: it has no handler"):
        told()
    with pytest.raises(HandlerMissing, match="only_told: it has no handler"):
        told.bind({}, context_for_handlers())


def test_two_tools_are_equal_only_when_they_are_the_same() -> None:
    """A tool is a thing, not a value; it can stand in sets."""
    one, other = made(), made()

    assert one != other
    assert len({one, other, one}) == 2


def test_a_handler_can_be_replaced() -> None:
    """Tests put another handler in place and keep the schema and its binding."""

    @tool
    def double(number: int, ctx: ToolContext) -> int:
        return number * ctx.attempt * 2

    fake = replace(double, handler=lambda number, ctx: number + ctx.attempt)

    args, kwargs = fake.bind({"number": 4}, context_for_handlers())
    assert fake(*args, **kwargs) == 5


def test_a_call_is_described_for_people_without_its_secrets() -> None:
    """The display template shows arguments, but none that is marked."""
    schema = {
        "properties": {
            "path": {"type": "string"},
            "login": {"type": "object", "properties": {"token": {"writeOnly": True}}},
        }
    }
    sample = made(schema, display="Read {path} as {login.token}")

    said = sample.describe({"path": "a.txt", "login": {"token": "hunter2"}})
    assert said == "Read a.txt as …"


def test_the_display_of_a_tool_whose_arguments_are_secret_shows_none() -> None:
    """A mark at the root hides everything."""
    sample = made(
        {"type": "object", "properties": {"a": {}}, "writeOnly": True}, display="Send {a}"
    )

    assert sample.describe({"a": "hunter2"}) == "Send …"
