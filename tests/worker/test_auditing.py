"""The audit's thread: it leaves nothing open behind it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import redis

from tests.waiting import PATIENCE, wait_until
from toolferry import Lane, Registry
from toolferry_ledger import Settings, Signer
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_worker.auditing import AuditThread
from toolferry_worker.station import Station


def test_the_audit_closes_its_connection(
    settings: Settings, client: redis.Redis, tmp_path: Path
) -> None:
    """After its last round, in which it steps down."""
    audited = replace(settings, audit=AuditSetting(folder=tmp_path))
    station = Station(
        settings=audited,
        lane=Lane.ASYNC,
        owner="one",
        slots=1,
        registry=Registry(),
        signer=Signer(settings.secret),
    )

    def connections() -> int:
        found: Any = client.client_list()
        return len(found)

    def holder() -> Any:
        return client.get(f"{settings.key_prefix}audit:sealer")

    before = connections()
    thread = AuditThread(station)
    thread.start()
    wait_until(holder, "the first round")
    thread.stop(PATIENCE)

    assert holder() is None
    assert wait_until(lambda: connections() <= before, "the end of the connection")
