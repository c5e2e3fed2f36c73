"""Listening: the events of a system, one after the other, for as long as somebody wants them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from toolferry import LedgerUnavailable
from toolferry_ledger import Ledger, LedgerEvent, get_log

log = get_log(__name__)

#: Seconds that one read waits at the most.
PATIENCE: Final = 1.0
#: Seconds before a server that did not answer is asked again.
PAUSE: Final = 0.5


def listen(ledger: Ledger, after: str) -> Iterator[LedgerEvent]:
    """Give events as they come, without an end; a server that is away is waited for.

    What is listened to begins now, not with the first event that is asked for.

    Args:
        ledger: The records.
        after: The position of the last event that was heard; `NEWEST` or `OLDEST` at first.

    Raises:
        LedgerUnavailable: The server does not answer at first.
    """
    position, events = ledger.read_events(after, 0)
    return _go_on(ledger, position, events)


def _go_on(ledger: Ledger, position: str, events: list[LedgerEvent]) -> Iterator[LedgerEvent]:
    while True:
        yield from events
        position, events = read_on(ledger, position)


def read_on(ledger: Ledger, position: str) -> tuple[str, list[LedgerEvent]]:
    """Wait for the next events, 1 s at the most; gives where to read on, and them."""
    try:
        return ledger.read_events(position, PATIENCE)
    except LedgerUnavailable as error:
        log.warning("ledger.unavailable", reason=str(error))
        time.sleep(PAUSE)
        return position, []
