"""Going through much work calmly: the sealer shares its process with handlers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

#: Seconds of work after which other threads get their turn.
_STINT: Final = 0.001


def calmly(items: Iterable[T]) -> Iterator[T]:
    """Give each item, and let other threads go on every millisecond.

    Else each time that a thread of a handler has waited for something, it waits 5 ms more for the
    interpreter.
    """
    rested_at = time.perf_counter()
    for item in items:
        yield item
        if time.perf_counter() - rested_at > _STINT:
            time.sleep(0)
            rested_at = time.perf_counter()
