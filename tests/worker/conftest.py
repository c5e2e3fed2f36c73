"""Fixtures for the tests of the worker: one pair of workers for all that does not harm them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.worker.caller import TOOLS, Caller
from tests.worker.running import RunningWorker, Start
from toolferry import Lane
from toolferry_ledger import Settings, Signer
from toolferry_ledger.server import Served
from toolferry_worker.station import Station


@pytest.fixture(scope="session")
def system(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Give the settings of the system that the pair of workers belongs to."""
    return Settings(
        url=server.url,
        secret=server.secret.encode(),
        namespace="worker-tests",
        home=tmp_path_factory.mktemp("system"),
    )


@pytest.fixture(scope="session")
def lanes(system: Settings) -> Iterator[dict[Lane, RunningWorker]]:
    """Run one worker of each lane for all tests that do not harm them; one as Celery's own."""
    workers = {
        Lane.ASYNC: RunningWorker(system, Lane.ASYNC, concurrency=4),
        Lane.PROCESS: RunningWorker(
            system, Lane.PROCESS, concurrency=4, application="toolferry_worker"
        ),
    }
    yield {lane: worker.ready() for lane, worker in workers.items()}
    for worker in workers.values():
        worker.stop()


@pytest.fixture(scope="session")
def shared(system: Settings, lanes: dict[Lane, RunningWorker]) -> Iterator[Caller]:
    """Give a caller whose calls the pair of workers runs."""
    for worker in lanes.values():
        worker.ready()
    caller = Caller(system)
    yield caller
    caller.close()


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of a system that no worker belongs to yet."""
    caller = Caller(settings)
    yield caller
    caller.close()


@pytest.fixture
def start(settings: Settings) -> Iterator[Start]:
    """Start workers of the test's own system; what still runs at its end is killed."""
    started: list[RunningWorker] = []

    def start_one(lane: Lane, **options: Any) -> RunningWorker:
        started.append(RunningWorker(settings, lane, **options))
        return started[-1]

    yield start_one
    for worker in started:
        worker.finish_off()


@pytest.fixture
def station(settings: Settings) -> Station:
    """Give the station of a worker that knows the sample tools."""
    return Station(
        settings=settings,
        lane=Lane.ASYNC,
        owner="worker-1",
        slots=4,
        registry=TOOLS,
        signer=Signer(settings.secret),
    )


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Give a folder in which held calls show themselves and wait."""
    return str(tmp_path)
