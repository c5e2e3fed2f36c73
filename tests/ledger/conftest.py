"""Fixtures for the tests of the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ledger.audited import Audited
from tests.ledger.samples import Bench
from toolferry_ledger import Ledger, Settings, Signer
from toolferry_ledger.audit.setting import AuditSetting


@pytest.fixture
def bench(settings: Settings) -> Iterator[Bench]:
    """Give a ledger of its own on the shared server."""
    bench = Bench.on(settings)
    yield bench
    bench.ledger.close()


@pytest.fixture
def audited(settings: Settings, tmp_path: Path) -> Iterator[Audited]:
    """Give a system of its own that is audited."""
    setting = AuditSetting(folder=tmp_path / "audit")
    elsewhere = replace(settings, broker_url=settings.url, audit=setting)
    bench = Bench(Ledger(elsewhere), Signer(settings.secret))
    yield Audited(bench, setting, tmp_path / "audit")
    bench.ledger.close()
