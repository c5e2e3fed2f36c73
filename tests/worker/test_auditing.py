"""The audit's thread: it leaves nothing open behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.servers import PASSWORD, OwnServer
from tests.waiting import PATIENCE, wait_until
from toolferry import Lane, Registry
from toolferry_ledger import Settings, Signer
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_worker.auditing import AuditThread
from toolferry_worker.station import Station


@pytest.fixture
def own_server(server_binary: Path, tmp_path: Path) -> Iterator[OwnServer]:
    """Run a server that nobody else is connected to."""
    own = OwnServer(server_binary, tmp_path / "server", f"requirepass {PASSWORD}")
    yield own.answers()
    own.kill()


def test_the_audit_closes_its_connection(
    settings: Settings, own_server: OwnServer, tmp_path: Path
) -> None:
    """After its last round, in which it steps down."""
    url = f"redis://:{PASSWORD}@127.0.0.1:{own_server.port}/0"
    audited = replace(settings, url=url, audit=AuditSetting(folder=tmp_path / "audit"))
    station = Station(
        settings=audited,
        lane=Lane.ASYNC,
        owner="one",
        slots=1,
        registry=Registry(),
        signer=Signer(settings.secret),
    )
    with own_server.client() as client:

        def connections() -> int:
            found: Any = client.client_list()
            return len(found)

        def holder() -> Any:
            return client.get(f"{settings.key_prefix}audit:sealer")

        thread = AuditThread(station)
        thread.start()
        wait_until(holder, "the first round")
        assert connections() == 2
        thread.stop(PATIENCE)

        assert holder() is None
        assert wait_until(lambda: connections() == 1, "the end of the connection")
