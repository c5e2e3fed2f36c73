"""Definitions: everything of a tool but its code, there and back again."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from tests.contract.samples import made
from toolferry import (
    Approval,
    Concurrency,
    EffectClass,
    HandlerMissing,
    Lane,
    Outcome,
    Rate,
    Registry,
    ResultFormat,
    RetryPolicy,
    Risk,
    SchemaInvalid,
    Tool,
    ToolInvalid,
    tool_from_json,
    tool_to_json,
)
from toolferry.definition import FIELDS

#: Fields that are code, or mean something in one process only.
CODE = {
    "handler",
    "rules",
    "trim",
    "adapter",
    "redact",
    "reveals",
    "render_result",
    "verify",
    "non_retryable",
    "signature",
    "created_at",
}

SCHEMA = {"type": "object", "properties": {"path": {"type": "string", "maxLength": 9}}}

#: A tool of which nothing is as it is by default.
RICH = made(
    SCHEMA,
    name="files_write",
    description="Write a file.",
    display={"en": "Write {path}", "zh": "写入 {path}"},
    category="files",
    tags={"b", "a"},
    effect=EffectClass.WRITE,
    idempotent=True,
    timeout=2.5,
    deadline=7,
    answer_within=3.5,
    retry=RetryPolicy(max_attempts=5, base=0.1, retry_on=frozenset({Outcome.TIMED_OUT})),
    lane=Lane.PROCESS,
    queue="gpu",
    concurrency=Concurrency(3, "path:{path}"),
    rate=Rate(5, 2.5, "path:{path}"),
    polling=True,
    permissions={"files:write"},
    allowed_roles={"admin"},
    environments={"production"},
    tenants={"acme"},
    confirm=True,
    approval=Approval(roles=frozenset({"lead"}), needed=2, own=True, within=60.0),
    risk=Risk.HIGH,
    resource="file:{path}",
    exclusive=True,
    max_result_bytes=100,
    result_format=ResultFormat.TEXT,
    examples=[{"path": "a.txt"}],
    cost=2,
    version="7",
    verifiable=True,
    undo="restore_file",
    deciders={"fact provider owner"},
    lint_accepted={"TF301": "Everybody knows what it does."},
    result_schema={"type": "string"},
)


def test_every_field_that_is_no_code_is_part_of_the_definition() -> None:
    """A new field of a tool needs one line in the table."""
    assert {field.name for field in fields(Tool)} == FIELDS.keys() | CODE


def test_a_definition_survives_its_json_text() -> None:
    """What comes back is equal in every field, and has no handler."""
    back = tool_from_json(json.loads(json.dumps(tool_to_json(RICH))))

    assert {name: getattr(back, name) for name in FIELDS} == {
        name: getattr(RICH, name) for name in FIELDS
    }
    assert back.handler is None
    assert back.digest == RICH.digest


def test_the_sample_differs_from_the_defaults_in_every_field() -> None:
    """So that no field can be forgotten unnoticed."""
    bare = Tool(name="bare", lane=Lane.ASYNC, idempotent=False)

    assert [name for name in FIELDS if getattr(RICH, name) == getattr(bare, name)] == []


def test_a_newer_definition_with_more_keys_is_read() -> None:
    """They are passed over, as with every record."""
    data = {**tool_to_json(RICH), "colour": "red"}
    data["retry"] = {**data["retry"], "mood": "calm"}

    assert tool_from_json(data).retry == RICH.retry


def test_what_a_definition_does_not_say_takes_the_defaults() -> None:
    """A name is enough."""
    assert tool_to_json(tool_from_json({"name": "bare"})) == tool_to_json(Tool(name="bare"))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "definition: it has no name"),
        ({"name": 7}, "definition: it has no name"),
        ({"name": "t", "tags": 7}, "t: its definition cannot be read"),
        ({"name": "t", "retry": 7}, "t: its definition cannot be read"),
        ({"name": "t", "retry": {"max_attempts": 0}}, "t: its definition cannot be read"),
        ({"name": "t", "concurrency": {"limit": 1}}, "t: its definition cannot be read"),
        ({"name": "t", "examples": 7}, "t: examples must be a list of objects"),
        ({"name": "t", "lane": "fast lane"}, "t: lane: 'fast lane' is not a valid Lane"),
        ({"name": "t", "timeout": "long"}, "t: timeout is 'long'"),
        ({"name": "t", "parameters": []}, "t: the schema at # must be an object schema"),
    ],
)
def test_what_is_no_definition_is_refused(data: dict[str, Any], sentence: str) -> None:
    """The sentence names the tool and what is wrong."""
    with pytest.raises(ToolInvalid) as refused:
        tool_from_json(data)

    assert str(refused.value).startswith(sentence)


def test_a_declared_tool_needs_no_handler() -> None:
    """It can be shown like any other."""
    registry = Registry()

    declared = registry.declare(tool_from_json(tool_to_json(RICH)))

    assert registry.get("files_write") is declared
    with pytest.raises(HandlerMissing):
        registry.register(tool_from_json({"name": "other"}))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"parameters": {"type": "array"}}, SchemaInvalid),
        ({"display": "Read {nothing}"}, ToolInvalid),
        ({"parameters": SCHEMA, "examples": [{"path": 7}]}, ToolInvalid),
        ({"name": "two words"}, ToolInvalid),
    ],
)
def test_a_declared_tool_is_checked_like_any_other(
    fields: dict[str, Any], error: type[ToolInvalid]
) -> None:
    """Only the handler's part is left out."""
    with pytest.raises(error):
        Registry().declare(Tool(**{"name": "t", **fields}))
