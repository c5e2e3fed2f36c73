"""A call is judged by jsonschema once, whoever asks what is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.counting import calls_in
from toolferry import Registry, Tool
from toolferry_dispatcher.looking import look
from toolferry_dispatcher.providers import provider

#: What jsonschema asks itself in every pass as often as there are types in the schema.
ASKED = Draft202012Validator.is_type.__code__


def get(**_arguments: object) -> None:
    """Do nothing."""


TOOL = Tool(
    name="get",
    description="Get one.",
    handler=get,
    parameters={
        "type": "object",
        "properties": {"id": {"type": "integer"}, "day": {"type": "string"}},
    },
)


@pytest.mark.parametrize(
    ("arguments", "passes", "is_accepted"),
    [
        ({"id": 7, "day": "Monday"}, 0, True),
        ({"id": "x", "day": "Monday"}, 1, False),
        ({"id": "7", "day": "Monday"}, 1, True),
        ({"id": "7", "day": 1}, 1, False),
    ],
    ids=["fits", "wrong", "put right", "put right in vain"],
)
def test_a_call_is_judged_once(arguments: dict[str, Any], passes: int, is_accepted: bool) -> None:  # noqa: FBT001 -- what is expected
    """And not at all where arguments fit surely, as do those that were put right."""
    validator = TOOL.validator  # made when first asked for, which jsonschema takes part in
    one_pass = calls_in(lambda: validator.errors({"id": "x", "day": "Monday"}), ASKED)
    registry = Registry([TOOL])
    call = {"id": "c1", "function": {"name": "get", "arguments": json.dumps(arguments)}}
    body = {"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}
    seen: list[bool] = []

    asked = calls_in(
        lambda: seen.append(look(body, provider("openai-chat"), registry).calls[0].is_accepted),
        ASKED,
    )

    assert one_pass > 0
    assert asked == passes * one_pass
    assert seen == [is_accepted]
