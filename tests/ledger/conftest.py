"""Fixtures for the tests of the ledger."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ledger.samples import Bench
from toolferry_ledger import Settings


@pytest.fixture
def bench(settings: Settings) -> Iterator[Bench]:
    """Give a ledger of its own on the shared server."""
    bench = Bench.on(settings)
    yield bench
    bench.ledger.close()
