"""How results are told in the language of Chat Completions: as `tool`, late ones as `user`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.told import Told


def with_results(message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
    """Give the model's message, if there is one, and right behind it a message an outcome.

    Args:
        message: The assistant message; may be empty.
        told: What the model is told of each call.

    >>> with_results({}, [Told("call_1", "weather", "sunny")])
    [{'role': 'tool', 'tool_call_id': 'call_1', 'content': 'sunny'}]
    """
    answers = [
        {"role": "tool", "tool_call_id": one.call_id, "content": fold(one.text)} for one in told
    ]
    return [dict(message), *answers] if message else answers


def user_message(text: str) -> dict[str, Any]:
    """Give a message that stands where a person's would.

    >>> user_message("It has ended.")
    {'role': 'user', 'content': 'It has ended.'}
    """
    return {"role": "user", "content": fold(text)}
