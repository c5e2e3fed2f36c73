"""Persistence: what has to be written is tried until the server answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import structlog

from toolferry import LedgerUnavailable

log = structlog.get_logger(__name__)

T = TypeVar("T")

#: Seconds between two tries. The client itself gives up after about 5 s when nothing answers.
PAUSE: Final = 0.2


def until_answered(action: Callable[[], T], pause: Callable[[float], bool]) -> T | None:
    """Do something with the ledger, again and again until the server answers.

    Args:
        action: What to do; repeating it must be harmless, as with all methods of the ledger.
        pause: Waits the given seconds and tells whether to give up.

    Returns:
        What the action gave; None when it was given up.
    """
    while True:
        try:
            return action()
        except LedgerUnavailable as error:
            log.warning("ledger.unavailable", error=str(error))
            if pause(PAUSE):
                return None
