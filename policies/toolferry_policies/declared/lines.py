"""Where a key of a TOML text stands. The standard library's reader does not tell.

The text is cut into its statements, which are what the reader takes by itself: a line, or more for
a long value. Then the first statement is looked for with which the key is there. So there is no
second reader that could see a text otherwise than the first.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

#: The way to a value: names, and positions in arrays from 0.
Path: TypeAlias = Sequence[str | int]
#: What is found where a way leads nowhere.
NOWHERE: Final = object()


def dotted(path: Path) -> str:
    """Write the way to a value as one key.

    >>> dotted(["tools", "refund", "rules", 0, "deny"])
    'tools.refund.rules.0.deny'
    """
    return ".".join(str(step) for step in path)


def line_of(text: str, path: Path) -> int:
    r"""Give the line, from 1, on which the statement begins that sets a value.

    Args:
        text: TOML that can be read.
        path: The way to the value. Of a value that is not there, the line of what would hold it.

    Returns:
        0 when not even a part of the way is there.

    >>> text = "a = 1\n[b]\nc = [\n  2,\n]\n"
    >>> line_of(text, ["b", "c", 0]), line_of(text, ["b", "d"]), line_of(text, ["e"])
    (3, 2, 0)
    """
    # As the reader does; a line's end must not be cut in two.
    text = text.replace("\r\n", "\n")
    starts = _starts(text)
    path = path[: _depth(_beginning(text, len(starts)), path)]
    if not path:
        return 0

    def is_there(number: int) -> bool:
        """Tell whether the first statements, so many, set the value."""
        return _depth(_beginning(text, number), path) == len(path)

    number = bisect_left(range(1, len(starts)), True, key=is_there)  # noqa: FBT003 -- the first True
    return starts[number] + 1


@lru_cache(maxsize=2)
def _starts(text: str) -> tuple[int, ...]:
    """Give on which line, from 0, each statement begins."""
    lines = text.split("\n")
    starts = [0]
    for end in range(1, len(lines)):
        if _is_whole("\n".join(lines[starts[-1] : end])):
            starts.append(end)
    return tuple(starts)


# Whoever asks for one line of a file asks for others, and each search begins in the same places.
@lru_cache(maxsize=32)
def _beginning(text: str, number: int) -> Mapping[str, Any]:
    """Read the first statements of a text, so many."""
    starts = _starts(text)
    lines = text.split("\n")
    return tomllib.loads("\n".join(lines[: starts[number] if number < len(starts) else None]))


def _is_whole(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _depth(value: Any, path: Path) -> int:
    """Say how many steps of a way lead somewhere."""
    for depth, step in enumerate(path):
        value = below(value, step)
        if value is NOWHERE:
            return depth
    return len(path)


def below(value: Any, step: str | int) -> Any:
    """Give what is one step below a value of TOML; `NOWHERE` when nothing is."""
    if isinstance(value, list):
        return value[step] if isinstance(step, int) and step < len(value) else NOWHERE
    return value.get(step, NOWHERE) if isinstance(value, Mapping) else NOWHERE
