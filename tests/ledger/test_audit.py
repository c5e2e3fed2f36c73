"""The audit: what happens to calls is recorded, sealed into files, and no change goes unnoticed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.ledger.samples import Bench
from toolferry_ledger import Ledger, Settings, Signer
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


@pytest.fixture
def audited(settings: Settings, tmp_path: Path) -> Iterator[Audited]:
    """Give a system of its own that is audited."""
    setting = AuditSetting(folder=tmp_path / "audit")
    elsewhere = replace(settings, broker_url=settings.url, audit=setting)
    bench = Bench(Ledger(elsewhere), Signer(settings.secret))
    yield Audited(bench, setting, tmp_path / "audit")
    bench.ledger.close()


def test_what_happens_to_a_call_is_told_step_by_step(audited: Audited) -> None:
    """With who asked, for whom, with what; which worker, which attempt, and what came of it."""
    bench = audited.bench
    [claim] = bench.claim(bench.submit(conversation_id="talk").rings)
    bench.finish(claim)

    requested, claimed, settled = audited.lines()

    assert [requested["kind"], claimed["kind"], settled["kind"]] == [
        "requested",
        "claimed",
        "settled",
    ]
    assert requested["arguments"] == {"path": "a.txt"}
    assert (requested["call_id"], requested["conversation"]) == ("c0", "talk")
    assert (requested["verdict"], claimed["worker"], claimed["attempt"]) == (
        "permit",
        "worker-1",
        1,
    )
    assert (settled["state"], settled["effect"]) == ("succeeded", "none")
    assert "done" not in json.dumps(settled)
    assert audited.verify().is_sound
