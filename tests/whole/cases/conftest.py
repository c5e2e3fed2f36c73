"""A system with a worker of each lane, for all cases that do not harm it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.whole.cases.scenario import MODULES, workers
from tests.worker.running import RunningWorker
from toolferry import Lane, ToolCall, ToolResult, load_tools
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings
from toolferry_ledger.server import Served


@pytest.fixture(scope="session")
def system(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Give the settings of the cases' own system."""
    return Settings(
        url=server.url,
        secret=server.secret.encode(),
        namespace="cases",
        home=tmp_path_factory.mktemp("cases"),
    )


@pytest.fixture(scope="session")
def lanes(system: Settings) -> Iterator[Mapping[Lane, RunningWorker]]:
    """Run a worker of each lane."""
    with workers(system, *Lane, tools=MODULES) as started:
        yield dict(zip(Lane, started, strict=True))


@pytest.fixture(scope="session")
def dispatcher(system: Settings, lanes: Mapping[Lane, RunningWorker]) -> Iterator[Dispatcher]:
    """Give a dispatcher whose calls those workers run."""
    assert set(lanes) == set(Lane)
    with Dispatcher(load_tools(MODULES), system) as dispatcher:
        yield dispatcher


class Gather:
    """Has calls run; their ids are c0, c1 and so on."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    def __call__(self, *wanted: tuple[str, dict[str, Any]]) -> list[ToolResult]:
        """Run calls, each by its tool's name and its arguments."""
        calls = [ToolCall(f"c{at}", name, arguments) for at, (name, arguments) in enumerate(wanted)]
        return self._dispatcher.dispatch(calls).gather(timeout=60)


@pytest.fixture
def gather(dispatcher: Dispatcher) -> Gather:
    """Give what runs calls."""
    return Gather(dispatcher)
