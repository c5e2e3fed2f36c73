"""Persistence: what has to be done with the ledger is tried until the server answers."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from toolferry import LedgerUnavailable
from toolferry_ledger import ClaimReply, Ledger
from toolferry_worker.complaint import Complaint

T = TypeVar("T")

#: What is told while the server does not answer, whoever wants something from it.
unavailable: Final = Complaint("ledger.unavailable")

#: Seconds between two tries. The client itself gives up within 5 s.
PAUSE: Final = 0.2


def never() -> bool:
    """Say that nobody wants to give up."""
    return False


def until_answered(action: Callable[[], T], gives_up: Callable[[], bool]) -> T | None:
    """Do something with the ledger, again and again until the server answers.

    Args:
        action: What to do; repeating it must be harmless, as with all methods of the ledger.
        gives_up: Asked after each failure.

    Returns:
        What the action gave; None when it was given up.
    """
    while True:
        try:
            return action()
        except LedgerUnavailable as error:
            unavailable.tell(error=str(error))
        if gives_up():
            return None
        time.sleep(PAUSE)


def claim_persistently(
    ledger: Ledger,
    owner: str,
    notices: Sequence[tuple[str, int]],
    room: int,
    gives_up: Callable[[], bool],
    claim_id: str | None = None,
) -> ClaimReply:
    """Claim up to `room` calls, also when the server is away for a while; nothing if given up.

    All tries are one claim: calls that were claimed although the answer was lost are not lost.
    """
    name = claim_id or secrets.token_hex(8)
    reply = until_answered(lambda: ledger.claim(owner, notices, room, name), gives_up)
    return reply or ClaimReply([], [])
