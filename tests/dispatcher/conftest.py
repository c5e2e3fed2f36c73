"""Fixtures for the tests of the dispatcher."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import make_registry
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher of its own on the shared server."""
    with Dispatcher(make_registry(), settings) as dispatcher:
        yield dispatcher


@pytest.fixture
def worker(settings: Settings) -> Iterator[HandWorker]:
    """Give a worker that does nothing by itself."""
    worker = HandWorker(settings)
    yield worker
    worker.close()
