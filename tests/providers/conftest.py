"""Fixtures for the tests of the providers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dispatcher.hand_worker import HandWorker
from toolferry_ledger import Settings


@pytest.fixture
def worker(settings: Settings) -> Iterator[HandWorker]:
    """Give a worker that does nothing by itself."""
    worker = HandWorker(settings)
    yield worker
    worker.close()
