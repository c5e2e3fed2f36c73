"""Arguments that cannot be read, of a tool that has secrets: what came is not repeated."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry import Registry, Tool
from toolferry_dispatcher.looking import look
from toolferry_dispatcher.providers import provider

OPEN = {"type": "object", "properties": {"key": {"type": "object"}}}
SECRET = {"type": "object", "properties": {"key": {"type": "object", "writeOnly": True}}}


def said(schema: dict[str, Any], arguments: str) -> str:
    """Give what a model is told of a call of a tool with such parameters."""
    registry = Registry()
    registry.declare(Tool(name="log_in", parameters=schema))
    call = {"id": "c1", "function": {"name": "log_in", "arguments": arguments}}
    body = {"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}
    error = look(body, provider("openai-chat"), registry).calls[0].error
    assert error is not None
    return str(error["message"])


@pytest.mark.parametrize(
    ("arguments", "repeated", "told"),
    [
        ('{"key": {"it": 1, "it": 2}}', 'the member "it" is', "the member (not shown) is there"),
        ('{"key": {"i\\"t": 1, "i\\"t": 2}}', 'the member "i\\"t"', "the member (not shown) is"),
        ('{"key": -7e999}', "the number -7e999 is", "the number (not shown) is too large"),
        ('{"key": ', "at character 9", "at character 9"),
    ],
    ids=["a name", "quotes in a name", "a number", "nothing"],
)
def test_what_came_is_repeated_only_where_there_is_no_secret(
    arguments: str, repeated: str, told: str
) -> None:
    """Nobody knows which part of it is one."""
    assert repeated in said(OPEN, arguments)
    assert told in said(SECRET, arguments)


def test_a_long_name_is_not_told_either() -> None:
    """What is repeated is cut."""
    name = "hunter2" * 30

    assert "hunter2" not in said(SECRET, f'{{"{name}": 1, "{name}": 2}}')


@pytest.mark.parametrize(
    "arguments",
    [
        "SECRET",
        '"SECRET"',
        "'SECRET'",
        '["SECRET"]',
        '{"key": SECRET}',
        '{"key": "SECRET}',
        '{"key": {"SECRET": 1}}{"key": {"SECRET": 1}}',
        '{"SECRET": 1, "SECRET": 2}',
        '{"SECRET": }',
        '{"key": {"SECRET": NaN}}',
        "```SECRET```",
        '```json\n{"SECRET"}\n```',
        '"{\\"key\\": SECRET}"',
        '{"key": "SECRET\\ud83d", "key": 1}',
        '{"key": 1e999SECRET}',
        '{"key": "SECRET\t\n"}',
        "[" * 80 + '"SECRET"' + "]" * 80,
    ],
)
def test_no_part_of_what_came_is_told_of_a_call_that_may_hold_secrets(arguments: str) -> None:
    """However it is broken."""
    assert "hunter2" not in said(SECRET, arguments.replace("SECRET", "hunter2"))
