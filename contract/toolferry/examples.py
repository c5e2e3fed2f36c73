"""The examples of a tool: arguments of good calls, as its author wrote them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from toolferry.errors import ToolInvalid


def copy_examples(tool: str, examples: Any) -> tuple[dict[str, Any], ...]:
    """Take a copy that nobody can change from outside.

    Raises:
        ToolInvalid: They are no list of JSON objects; names the number of the one that is none.
    """
    if isinstance(examples, Mapping | str | bytes) or not isinstance(examples, Iterable):
        raise ToolInvalid(tool, "examples must be a list of objects, each the arguments of a call")
    return tuple(_copy(tool, number, one) for number, one in enumerate(examples, start=1))


def _copy(tool: str, number: int, example: Any) -> dict[str, Any]:
    if not isinstance(example, Mapping):
        raise ToolInvalid(
            tool, f"example {number} is {example!r:.40}: it must be an object of arguments"
        )
    try:
        copy: dict[str, Any] = json.loads(json.dumps(dict(example), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise ToolInvalid(tool, f"example {number} is no JSON data: {error}") from error
    return copy
