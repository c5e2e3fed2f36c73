"""The sealer: brings what waits in the stream into files, and only then out of the stream.

1. The entries are read, and compared with what they must continue: what is missing or was changed
   is told in the files as well.
2. A batch of lines with a seal is appended to the newest file, and forced to the disk.
3. One script keeps the seal in the server and drops the entries, unless another process has sealed
   meanwhile: then the batch is taken back.

A crash between 2 and 3 leaves a file that is ahead of the server; the next round goes on from it.
Nothing of this is on the way of a call: while the files cannot be written, the stream waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from toolferry_ledger.audit.calmly import calmly
from toolferry_ledger.audit.chain import START, Seal, read_seal, write_batch
from toolferry_ledger.audit.entries import BATCH, Entry, discrepancies, read_entries
from toolferry_ledger.audit.folder import AuditFolder
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.audit.telling import Facts, Schemas, masks_of, read_subjects, tell
from toolferry_ledger.connection import server_errors
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.logs import get_log
from toolferry_ledger.signing import Signer

log = get_log(__name__)

#: Batches of one round at the most.
_ROUNDS: Final = 20


class Sealer:
    """Seals one system's audit into the files of this machine.

    Args:
        ledger: Where entries wait.
        signer: Signs seals.
        setting: Names the folder.
        schemas: Knows the tools' parameters, to tell which arguments are secret.
    """

    def __init__(
        self, ledger: Ledger, signer: Signer, setting: AuditSetting, schemas: Schemas
    ) -> None:
        self._ledger = ledger
        self._signer = signer
        self._folder = AuditFolder(setting, signer)
        self._schemas = schemas

    def seal(self) -> int:
        """Do one round; gives how many entries were sealed.

        Raises:
            OSError: The files cannot be written; what waits goes on waiting.
            LedgerUnavailable: The server does not answer.
        """
        with server_errors(self._ledger.settings):
            if not self._waits():
                return 0
        sealed = 0
        with self._folder.locked():
            for _ in range(_ROUNDS):
                count = self._seal_batch()
                sealed += count
                if count < BATCH:
                    break
            self._folder.cut()
        return sealed

    def _waits(self) -> bool:
        key = f"{self._ledger.settings.key_prefix}audit"
        return bool(self._ledger.client.xrange(key, count=1))

    def _seal_batch(self) -> int:
        known = self._read_known()
        after = self._place_to_go_on(known)
        with server_errors(self._ledger.settings):
            entries = read_entries(self._ledger.client, self._ledger.settings.key_prefix)
        fresh = entries[_count_sealed(entries, after) :]
        positions = [entry.position for entry in entries]
        if not fresh:
            if entries:
                self._take_note(known, after, positions)
            return len(entries)
        last = fresh[-1]
        facts = self._facts(after, fresh)
        lines, seal = write_batch(
            after, facts, (last.number, last.hash), float(facts[-1]["at"]), self._signer
        )
        self._folder.append(lines, after, seal)
        if not self._take_note(known, seal, positions):
            self._folder.take_back(lines, after)
            return 0
        return len(entries)

    def _read_known(self) -> bytes:
        """Read the newest seal that the server has, as it is there; empty when it has none."""
        with server_errors(self._ledger.settings):
            text = self._ledger.client.get(f"{self._ledger.settings.key_prefix}audit:sealed")
        return text if isinstance(text, bytes) else b""

    def _place_to_go_on(self, known: bytes) -> Seal:
        """Give the newest seal of all: the server's, or the folder's when that is ahead."""
        servers = read_seal(known, self._signer) or START
        folders = self._folder.newest()
        if known and servers is START:
            log.error("audit.doubtful", what="the server's seal is not genuine")
        return folders if folders.number > servers.number else servers

    def _facts(self, after: Seal, entries: Sequence[Entry]) -> list[Facts]:
        told = [(entry, tuple(entry.notes)) for entry in calmly(entries)]
        with server_errors(self._ledger.settings):
            subjects = read_subjects(self._ledger, self._signer, told)
        doubts: dict[str, list[Facts]] = {}
        for entry, doubt in discrepancies(entries, after.entry, after.entry_hash):
            log.error("audit.doubtful", what=doubt.what)
            facts = {"at": entry.at, "kind": "doubt", "what": doubt.what}
            doubts.setdefault(entry.position, []).append(facts)
        masks = masks_of(self._schemas)
        parts = (
            (*doubts.get(entry.position, ()), *tell(entry, notes, subjects, masks))
            for entry, notes in calmly(told)
        )
        return list(chain.from_iterable(parts)) or [
            {"at": entries[-1].at, "kind": "doubt", "what": "an entry tells nothing"}
        ]

    def _take_note(self, known: bytes, seal: Seal, positions: Sequence[str]) -> bool:
        return self._ledger.note_sealed(known, seal.text, positions)


def _count_sealed(entries: Sequence[Entry], after: Seal) -> int:
    """Count the entries that are in the files already, of which a crash kept the server unaware.

    Numbers alone do not tell: a server that has lost its data counts from 1 again.
    """
    ends = [at for at, entry in enumerate(entries) if entry.hash == after.entry_hash]
    return ends[0] + 1 if ends else 0
