"""Progress: how far a running call is, as its handler reported it last."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from toolferry_ledger.connection import server_errors
from toolferry_ledger.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a handler."""

    #: The part that is done, 0 to 1; None when the handler did not say, or said no such number.
    fraction: float | None
    #: One short sentence for people; empty when there is none.
    message: str


def read_progress(ledger: Ledger, call_key: str) -> Progress | None:
    """Read the newest report on a call; None when there is none, or no such call.

    One round trip. Workers bring reports to the ledger four times a second at the most.

    Raises:
        LedgerUnavailable: The server does not answer.
    """
    with server_errors(ledger.settings):
        text: Any = ledger.client.hget(f"{ledger.settings.key_prefix}call:{call_key}", "progress")
    if text is None:
        return None
    report = json.loads(text)
    message = report.get("message")
    return Progress(_part(report.get("fraction")), "" if message is None else str(message))


def _part(value: object) -> float | None:
    """Give the part that is done; handlers may report anything."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(1.0, max(0.0, float(value)))
