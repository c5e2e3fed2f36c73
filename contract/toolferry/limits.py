"""The limits: what no call may exceed, and the ranges of what a tool may ask for."""

from __future__ import annotations

import math
from typing import Any, Final

from toolferry.errors import ToolInvalid

#: Levels of objects and lists in arguments and results; real tools stay below ten.
MAX_DEPTH: Final = 64
#: Seconds that one attempt may take when its tool says nothing.
DEFAULT_TIMEOUT: Final = 30.0
#: Seconds in which a call has to end, waiting and retries included, when its tool says nothing.
DEFAULT_DEADLINE: Final = 120.0
#: Seconds that a tool may ask for at the most: a week, for calls that people wait for.
MAX_SECONDS: Final = 7 * 86_400.0
#: Bytes of JSON text of a result's content when its tool says nothing; about 16,000 tokens.
DEFAULT_RESULT_BYTES: Final = 64 * 1024
#: Bytes of JSON text that a tool may ask for at the most.
MAX_RESULT_BYTES: Final = 10 * 1024 * 1024
#: Bytes of a returned value beyond which it is refused instead of cut: a cut this deep would hide
#: that the tool returned something quite different from what was meant.
MAX_RETURN_BYTES: Final = 32 * 1024 * 1024
#: Values (members and elements) of a returned structure; more would take a second to walk.
MAX_RETURN_VALUES: Final = 500_000
#: Characters of a tool's name: MCP allows 128, and public tools of 141 have been seen.
MAX_NAME_LENGTH: Final = 256


def require_number(tool: str, word: str, value: Any, low: float, high: float) -> None:
    """Require a finite number from `low` to `high`.

    Raises:
        ToolInvalid: It is not; names the tool, the word and the range.
    """
    real = isinstance(value, int | float) and not isinstance(value, bool)
    if not real or not math.isfinite(value) or not low <= value <= high:
        raise ToolInvalid(tool, f"{word} is {value!r}: it must be a number from {low} to {high}")


def require_whole(tool: str, word: str, value: Any, low: int, high: int) -> None:
    """Require a whole number from `low` to `high`.

    Raises:
        ToolInvalid: It is not; names the tool, the word and the range.
    """
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not low <= value <= high:
        raise ToolInvalid(tool, f"{word} is {value!r}: it must be a whole number, {low} to {high}")


def name_set(tool: str, word: str, value: Any) -> frozenset[str]:
    """Turn a collection of names into a frozen set.

    >>> sorted(name_set("t", "tags", ["b", "a"]))
    ['a', 'b']

    Raises:
        ToolInvalid: It is one text instead of a collection, or holds something else than names.
    """
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise ToolInvalid(tool, f"{word} is {value!r}: it must be a set of names")
    names = frozenset(value)
    if not all(isinstance(name, str) and name for name in names):
        raise ToolInvalid(tool, f"{word} must hold names only, each a text of a character or more")
    return names
