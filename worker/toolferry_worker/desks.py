"""What a worker provides to the handlers of the tools that every worker has."""

from __future__ import annotations

from typing import Any

from toolferry_ledger import Bell, CallDesk, Canceller, Ledger, LedgerArchive, ResultDesk
from toolferry_worker.station import Station


def desks(station: Station) -> dict[type[Any], Any]:
    """Give them, by their types, on connections of their own: they wait in threads."""
    ledger, signer = Ledger(station.settings), station.signer
    canceller = Canceller(ledger, Bell(station.settings), signer)
    return {
        CallDesk: CallDesk(ledger, canceller, signer),
        ResultDesk: ResultDesk(LedgerArchive(ledger, signer), station.registry),
    }
