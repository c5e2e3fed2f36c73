"""The fields of Gemini's JSON: the API and its SDKs write each in camel case and in snake case."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

_CAPITAL: Final = re.compile("[A-Z]")


@lru_cache(maxsize=256)
def snake(name: str) -> str:
    """Give a field's other name.

    >>> snake("thoughtSignature")
    'thought_signature'
    """
    return _CAPITAL.sub(lambda capital: f"_{capital[0].lower()}", name)


def value_of(holder: Mapping[str, Any], name: str) -> Any:
    """Give the value of a field by its name in camel case; None when it is not set.

    >>> value_of({"finish_reason": "STOP"}, "finishReason")
    'STOP'
    """
    value = holder.get(name)
    return holder.get(snake(name)) if value is None else value


def set_fields(holder: Mapping[str, Any], *left_out: str) -> dict[str, Any]:
    """Give the fields that are set, in their order and under the names that they came with.

    Args:
        holder: A part, a call or the like; dumps of SDKs hold null for all that was not sent.
        left_out: Fields not to give, in camel case.

    >>> set_fields({"text": "Hi", "inline_data": None, "thought": True}, "thought")
    {'text': 'Hi'}
    """
    out = {*left_out, *map(snake, left_out)}
    return {name: value for name, value in holder.items() if value is not None and name not in out}


def words(value: object) -> str:
    """Give a text as it is; an empty one for anything else."""
    return value if isinstance(value, str) else ""
