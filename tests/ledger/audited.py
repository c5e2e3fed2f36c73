"""A system that is audited, for the tests of the audit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.ledger.samples import Bench
from toolferry_ledger.audit.sealer import Sealer
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.audit.verifying import Verified, verify

SCHEMA = {"properties": {"path": {"type": "string"}}}


@dataclass(frozen=True)
class Audited:
    """A system that is audited, and who seals it."""

    bench: Bench
    setting: AuditSetting
    folder: Path

    @property
    def sealer(self) -> Sealer:
        """Give a sealer that has just been started."""
        ledger, signer = self.bench.ledger, self.bench.signer
        return Sealer(ledger, signer, self.setting, lambda _: SCHEMA)

    def key(self, name: str) -> str:
        """Name a key of the system."""
        return f"{self.bench.ledger.settings.key_prefix}{name}"

    def run_call(self, turn_id: str = "t", **changes: Any) -> None:
        """Have a call requested, claimed and settled."""
        [claim] = self.bench.claim(self.bench.submit(turn_id, **changes).rings)
        self.bench.finish(claim)

    def whats(self) -> list[str]:
        """Verify, and give what is wrong."""
        return [one.what for one in self.verify().discrepancies]

    def lines(self) -> list[dict[str, Any]]:
        """Seal, and read what is told in the files besides the seals."""
        self.sealer.seal()
        texts = [path.read_text() for path in sorted(self.folder.glob("audit-*.jsonl"))]
        rows = [json.loads(line) for text in texts for line in text.splitlines()]
        return [row for row in rows if row["kind"] != "seal"]

    def verify(self) -> Verified:
        """Verify files and server."""
        ledger = self.bench.ledger
        prefix = ledger.settings.key_prefix
        return verify([self.folder], self.bench.signer, ledger.client, prefix)
