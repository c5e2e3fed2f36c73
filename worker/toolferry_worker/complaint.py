"""A complaint: a warning that may be made often and is told now and then."""

from __future__ import annotations

import time
from typing import Any, Final

import structlog

log = structlog.get_logger(__name__)

#: Seconds for which the same complaint is not told again: an outage fills no log.
QUIET: Final = 10.0


class Complaint:
    """Tells the same event at most once in ten seconds; any thread may complain.

    Args:
        event: The event's name.
    """

    def __init__(self, event: str) -> None:
        self._event = event
        self._told_at = -QUIET

    def tell(self, **keys: Any) -> None:
        """Log the event as a warning, unless that was done just now."""
        now = time.monotonic()
        if now - self._told_at >= QUIET:
            self._told_at = now
            log.warning(self._event, **keys)
