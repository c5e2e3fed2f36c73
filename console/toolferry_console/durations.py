"""Times as people write and read them: 90s, 15m, 1h, 7d."""

from __future__ import annotations

import re
from typing import Final

import typer

_SECONDS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_DURATION: Final = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)([smhd])")


def read_duration(text: str) -> float:
    """Read a time; give it in seconds.

    Raises:
        typer.BadParameter: It is none.

    >>> read_duration("1.5h")
    5400.0
    """
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise typer.BadParameter(f"{text!r:.40} is no time such as 90s, 15m, 1h or 7d")
    return float(match[1]) * _SECONDS[match[2]]


def duration_text(seconds: float) -> str:
    """Write a time in its largest fitting unit.

    >>> [duration_text(seconds) for seconds in (0.4, 89, 7000, 900_000)]
    ['0s', '89s', '117m', '10d']
    """
    for unit in ("s", "m", "h"):
        if seconds < 120 * _SECONDS[unit]:
            return f"{seconds / _SECONDS[unit]:.0f}{unit}"
    return f"{seconds / _SECONDS['d']:.0f}d"
