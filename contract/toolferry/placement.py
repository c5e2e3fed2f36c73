"""Placement: where calls run, in which order they get their turn, and how many at once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

#: The queue of tools that do not name one.
DEFAULT_QUEUE: Final = "default"
#: What a queue may be called: it becomes part of names in the server and the broker.
_QUEUE: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
#: Calls at once that a limit may allow at the most.
MAX_CONCURRENCY: Final = 100_000
#: Calls that a rate may allow at the most: each that started is remembered for its time.
MAX_RATE: Final = 10_000
#: The longest time of a rate, in seconds.
DAY: Final = 86_400.0


class Priority(StrEnum):
    """How urgent the calls of a turn are; the most urgent get free slots first, always."""

    #: Somebody waits for it now.
    INTERACTIVE = "interactive"
    NORMAL = "normal"
    #: Runs when nothing more urgent waits.
    BULK = "bulk"


@dataclass(frozen=True, slots=True)
class Concurrency:
    """How many calls may run at once, on all workers together.

    A call over the limit waits, and starts when another with the same key ends; nothing polls.

    Raises:
        ValueError: The limit is no whole number from 1 to 100,000.
    """

    #: Calls at once, 1 or more.
    limit: int
    #: What the limit is for, a template over the arguments: "account:{account}"; and over who asks:
    #: `{context.tenant}`, `{context.principal}`. Tools with the same key share it. Default: the
    #: tool's own name.
    key: str = ""

    def __post_init__(self) -> None:
        limit: object = self.limit
        whole = isinstance(limit, int) and not isinstance(limit, bool)
        if not whole or not 1 <= self.limit <= MAX_CONCURRENCY:
            sentence = f"limit is {self.limit!r}: it must be a whole number, 1 to {MAX_CONCURRENCY}"
            raise ValueError(sentence)


@dataclass(frozen=True, slots=True)
class Rate:
    """How many calls may start in any stretch of time, on all workers together.

    A call over the rate waits, and starts when there is room again, in its turn and as far as its
    deadline allows; nothing polls. Every attempt counts.

    Raises:
        ValueError: The limit is no whole number from 1 to 10,000, or the time not 0.01 s to a day.
    """

    #: Calls in `per` seconds at the most, 1 or more.
    limit: int
    #: Seconds, 0.01 to a day. It counts for every stretch of so many seconds, wherever it begins.
    per: float
    #: What the rate is for, a template as of `Concurrency`. Tools with the same rate share it.
    key: str = ""

    def __post_init__(self) -> None:
        limit: object = self.limit
        whole = isinstance(limit, int) and not isinstance(limit, bool)
        if not whole or not 1 <= self.limit <= MAX_RATE:
            sentence = f"limit is {self.limit!r}: it must be a whole number, 1 to {MAX_RATE}"
            raise ValueError(sentence)
        per: object = self.per
        number = isinstance(per, int | float) and not isinstance(per, bool)
        if not number or not 0.01 <= self.per <= DAY:  # noqa: PLR2004 -- as the docstring says
            raise ValueError(f"per is {self.per!r}: it must be seconds, 0.01 to {DAY:g}")


def is_queue_name(name: object) -> bool:
    """Tell whether a queue may be called so: 1 to 40 of a-z, 0-9, `_` and `-`.

    >>> is_queue_name("gpu-1"), is_queue_name("GPU 1"), is_queue_name("")
    (True, False, False)
    """
    return isinstance(name, str) and _QUEUE.fullmatch(name) is not None
