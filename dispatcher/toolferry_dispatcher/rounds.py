"""The rounds of a dispatcher that waits: what nobody else may be there to do."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from toolferry_dispatcher.lost_records import LostRecords
from toolferry_dispatcher.watch import Watch
from toolferry_ledger import Ledger, Reaper

#: Seconds of silence after which a turn is read from the ledger.
SILENCE: Final = 5.0
#: Seconds of waiting after which a pool without workers is told; with the pause between two rounds
#: that is within 3 s.
UNSERVED_AFTER: Final = 1.0


class Rounds:
    """Runs the reaper, reads silent turns again, and tells of pools without workers.

    Args:
        inbox: The name of the inbox that silent turns are told to.
        ledger: The records.
        reaper: Keeps deadlines even when no worker is alive.
        lost: Ends the turns that the server has lost.
    """

    def __init__(self, inbox: str, ledger: Ledger, reaper: Reaper, lost: LostRecords) -> None:
        self._inbox = inbox
        self._ledger = ledger
        self._reaper = reaper
        self._lost = lost
        self._next = 0.0

    def do(self, watches: Sequence[Watch]) -> None:
        """Do a round when one is due.

        Args:
            watches: Of the turns that are open.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        now = time.monotonic()
        if now < self._next or not watches:
            return
        self._next = now + self._reaper.tick()
        waiting = [watch for watch in watches if not watch.done]
        for watch in waiting:
            if now - watch.heard_at > SILENCE:
                self._read_again(watch)
        self._tell_unserved([w for w in waiting if now - w.heard_at >= UNSERVED_AFTER])

    def _read_again(self, watch: Watch) -> None:
        record = self._ledger.attach(watch.turn_id, self._inbox)
        if record is None:
            self._lost.make_good(watch)
        else:
            watch.missed_since = None
            watch.note(record.results)

    def _tell_unserved(self, watches: Sequence[Watch]) -> None:
        if not watches:
            return
        served = self._ledger.served()
        for watch in watches:
            for pool in watch.open_pools - served:
                watch.warn(f"No worker is alive for {pool.words}; calls wait for one.")
