"""The audit's thread: a worker that has the folder of the audit seals what waits, in its turn."""

from __future__ import annotations

import threading

import structlog

from toolferry import LedgerUnavailable
from toolferry_ledger import Catalog, Ledger, connect_alone
from toolferry_ledger.audit.rounds import SEAL_EVERY, Rounds
from toolferry_ledger.audit.sealer import Sealer
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.audit.telling import Schemas
from toolferry_worker.persistence import unavailable
from toolferry_worker.station import Station

log = structlog.get_logger(__name__)


class AuditThread:
    """Seals once a second until it is stopped, and once more then; nothing without a folder.

    Args:
        station: The worker's; knows the setting and the tools.
    """

    def __init__(self, station: Station) -> None:
        settings = station.settings
        self._ledger = Ledger(settings, connect_alone)
        self._rounds: Rounds | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="audit", daemon=True)
        if settings.audit is not None and settings.audit.folder is not None:
            self._rounds = _rounds(station, self._ledger, settings.audit)

    def start(self) -> None:
        """Begin with the rounds."""
        if self._rounds is not None:
            self._thread.start()

    def stop(self, patience: float) -> None:
        """End with one more round, wait for it for so many seconds, and let go of the server."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _run(self) -> None:
        rounds = self._rounds
        while rounds is not None:
            is_last = self._stopped.wait(SEAL_EVERY)
            try:
                if is_last:
                    rounds.leave()
                else:
                    rounds.tick()
            except LedgerUnavailable as error:
                unavailable.tell(error=str(error))
            except Exception:
                # Whatever it is, calls go on, and it is to be heard of.
                log.exception("audit.failed")
            if is_last:
                self._ledger.close()
                return


def _rounds(station: Station, ledger: Ledger, setting: AuditSetting) -> Rounds:
    sealer = Sealer(ledger, station.signer, setting, schemas_of(station, ledger))
    return Rounds(ledger, sealer, station.owner)


def schemas_of(station: Station, ledger: Ledger) -> Schemas:
    """Look tools up: the worker's own, or else what others offer."""
    catalog = Catalog(ledger, station.signer)

    def find(name: str) -> dict[str, object] | None:
        tool = station.registry.get(name) or catalog.read().tools().get(name)
        return None if tool is None else dict(tool.parameters)

    return find
