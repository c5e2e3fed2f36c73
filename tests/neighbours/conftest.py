"""Fixtures for the tests of the neighbours: one worker for all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import closing

import pytest

from tests.neighbours import tools_neighbours
from tests.worker.running import RunningWorker
from toolferry import Lane, Registry
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_ledger import Settings
from toolferry_ledger.server import Served

REGISTRY = Registry.from_module(tools_neighbours)


@pytest.fixture(scope="session")
def neighbourhood(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Give the settings of a system with a worker."""
    settings = Settings(
        url=server.url,
        secret=server.secret.encode(),
        namespace="neighbours",
        home=tmp_path_factory.mktemp("neighbours"),
    )
    worker = RunningWorker(
        settings, Lane.ASYNC, concurrency=4, tools="tests.neighbours.tools_neighbours"
    )
    worker.ready()
    yield settings
    worker.stop()


@pytest.fixture
async def dispatcher(neighbourhood: Settings) -> AsyncIterator[AsyncDispatcher]:
    """Give a dispatcher for the event loop of the test."""
    async with AsyncDispatcher(REGISTRY, neighbourhood) as dispatcher:
        yield dispatcher


@pytest.fixture
def threaded(neighbourhood: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher for threads."""
    with closing(Dispatcher(REGISTRY, neighbourhood)) as dispatcher:
        yield dispatcher
