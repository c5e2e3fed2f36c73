"""Rounds: one process of a system seals at a time, and what keeps it from doing so is an alarm."""

from __future__ import annotations

import time
from typing import Final

from toolferry_ledger.audit.sealer import Sealer
from toolferry_ledger.connection import server_errors
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.logs import get_log

log = get_log(__name__)

#: Seconds between two rounds.
SEAL_EVERY: Final = 1.0
#: Milliseconds for which a process is the one that seals, after each of its rounds.
_TERM: Final = 10_000
#: Seconds for which the server tells that the files cannot be written.
_TROUBLE: Final = 60
#: Seconds between two lines of the log about that.
_REPEAT: Final = 60.0


class Rounds:
    """Has one sealer of a system work, the same one for as long as it can.

    Args:
        ledger: Of the system.
        sealer: Seals into the files of this machine.
        name: This process, unique in the system.
    """

    def __init__(self, ledger: Ledger, sealer: Sealer, name: str) -> None:
        self._ledger = ledger
        self._sealer = sealer
        self._name = name.encode()
        self._prefix = ledger.settings.key_prefix
        self._told_at = 0.0

    def tick(self) -> None:
        """Seal what waits, if it is this process' turn.

        Raises:
            LedgerUnavailable: The server does not answer; try again later.
        """
        if not self._is_elected():
            return
        try:
            self._sealer.seal()
        except OSError as error:
            self._alarm(error)

    def leave(self) -> None:
        """Seal once more, and let another process take over.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        self.tick()
        self._step_down()

    def _is_elected(self) -> bool:
        key, client = f"{self._prefix}audit:sealer", self._ledger.client
        with server_errors(self._ledger.settings):
            holder = client.get(key)
            if holder is None:
                return bool(client.set(key, self._name, nx=True, px=_TERM))
            return holder == self._name and bool(client.pexpire(key, _TERM))

    def _step_down(self) -> None:
        key, client = f"{self._prefix}audit:sealer", self._ledger.client
        with server_errors(self._ledger.settings):
            if client.get(key) == self._name:
                client.delete(key)

    def _alarm(self, error: OSError) -> None:
        """Tell that the files cannot be written, and leave it to a machine on which they can."""
        said = f"{error.strerror or error} ({error.filename or 'the folder of the audit'})"
        with server_errors(self._ledger.settings):
            self._ledger.client.set(f"{self._prefix}audit:trouble", said, ex=_TROUBLE)
        self._step_down()
        if not self._told_at or time.monotonic() - self._told_at > _REPEAT:
            self._told_at = time.monotonic()
            log.error("audit.failed", error=said)
