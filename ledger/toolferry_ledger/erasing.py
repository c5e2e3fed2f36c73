"""Erasing what is kept of calls that have ended."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from toolferry_ledger.ledger import Ledger

#: Calls that are erased in one run of the script.
_BATCH: Final = 200


class Erased(StrEnum):
    """What became of the wish to erase a call."""

    #: Nothing of it is left but what its turn holds.
    GONE = "gone"
    #: Its data is gone; it keeps its place before others until those may pass.
    HELD = "held"
    #: It has not ended; nothing was erased.
    OPEN = "open"
    #: There was nothing.
    NONE = "none"


def erase(ledger: Ledger, call_keys: Sequence[str]) -> dict[str, Erased]:
    """Erase calls that have ended, with their histories; their turns stay. Idempotent.

    Raises:
        LedgerUnavailable: The server does not answer; some may have been erased.
    """
    erased: dict[str, Erased] = {}
    for at in range(0, len(call_keys), _BATCH):
        part = call_keys[at : at + _BATCH]
        words = map(Erased, ledger.erase(part))
        erased |= dict(zip(part, words, strict=True))
    return erased
