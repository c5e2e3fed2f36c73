"""What is wrong with a call is looked for once, whoever asks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.counting import calls_in
from toolferry import Registry, Tool
from toolferry.judging import Judge
from toolferry.sample import sample_of
from toolferry_dispatcher.looking import look
from toolferry_dispatcher.providers import provider

JUDGED = Judge.misfits.__code__


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
        ({"id": 7, "day": "Monday"}, 1, True),
        ({"id": "x", "day": "Monday"}, 1, False),
        ({"id": "7", "day": "Monday"}, 2, True),
        ({"id": "7", "day": 1}, 1, False),
    ],
    ids=["fits", "wrong", "put right", "put right in vain"],
)
def test_a_call_is_judged_once(arguments: dict[str, Any], passes: int, is_accepted: bool) -> None:  # noqa: FBT001 -- what is expected
    """And once more when it was put right."""
    sample_of(TOOL)  # which is judged, and made once
    registry = Registry([TOOL])
    call = {"id": "c1", "function": {"name": "get", "arguments": json.dumps(arguments)}}
    body = {"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}
    seen: list[bool] = []

    asked = calls_in(
        lambda: seen.append(look(body, provider("openai-chat"), registry).calls[0].is_accepted),
        JUDGED,
    )

    assert asked == passes
    assert seen == [is_accepted]
