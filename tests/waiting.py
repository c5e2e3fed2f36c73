"""Waiting for other processes: they cannot notify a test, so it looks, and never for long."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

#: Seconds in which everything that is waited for must have come: much longer than it takes.
PATIENCE: Final = 30.0
#: Seconds between two looks.
LOOK_EVERY: Final = 0.01


def wait_until(find: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Ask again and again until there is an answer, and give it."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        found = find()
        if found:
            return found
        time.sleep(LOOK_EVERY)  # the one place that looks: a process of its own rings no bell here
    raise AssertionError(f"{what} did not come within {patience} s")
