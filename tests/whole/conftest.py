"""A whole system of a test's own, for tests that harm its server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

import pytest

from tests.dispatcher.samples import response
from tests.waiting import wait_until
from tests.whole import trouble_tools
from tests.whole.trouble import OwnServer, Wire
from tests.whole.trouble_tools import JOURNAL, begun
from tests.worker.running import RunningWorker
from toolferry import Lane, Registry, ToolResult
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_dispatcher.options import DispatchOptions
from toolferry_ledger import Settings

TOOLS = Registry.from_module(trouble_tools)


@dataclass
class Troubled:
    """A server, a worker of each lane, and a dispatcher."""

    server: OwnServer
    settings: Settings
    workers: dict[Lane, RunningWorker]
    dispatcher: Dispatcher
    journal: Path

    def dispatch(self, *calls: tuple[str, float], **options: Unpack[DispatchOptions]) -> TurnHandle:
        """Dispatch calls that take so many seconds."""
        wanted = response(*((name, {"seconds": seconds}) for name, seconds in calls))
        return self.dispatcher.dispatch(wanted, **options)

    def run(self, timeout: float = 30) -> list[ToolResult]:
        """Have one call run in each lane."""
        return self.dispatch(("look", 0), ("look_hard", 0)).gather(timeout)

    def wait_begun(self, count: int) -> None:
        """Wait until so many attempts have begun."""
        wait_until(lambda: len(begun(self.journal)) >= count, f"{count} attempts")


@pytest.fixture
def own_server(tmp_path: Path, server_binary: Path) -> Iterator[OwnServer]:
    """Run a server for this test alone."""
    server = OwnServer(tmp_path / "home", server_binary)
    yield server
    server.leave()


@pytest.fixture
def wire(own_server: OwnServer) -> Iterator[Wire]:
    """Give a network path to that server, which can be cut."""
    path = own_server.settings.redis_url.partition("@")[2].partition("?")[0]
    wire = Wire(path)
    yield wire
    wire.close()


@pytest.fixture
def troubled(own_server: OwnServer, tmp_path: Path) -> Iterator[Troubled]:
    """Run a system whose server can be harmed."""
    yield from run_system(own_server, own_server.settings, tmp_path)


@pytest.fixture
def wired(own_server: OwnServer, wire: Wire, tmp_path: Path) -> Iterator[Troubled]:
    """Run a system that reaches its server over a network path that can be cut."""
    password = own_server.settings.url.partition("//:")[2].partition("@")[0]
    url = f"redis://:{password}@127.0.0.1:{wire.port}/0"
    yield from run_system(own_server, replace(own_server.settings, url=url), tmp_path)


def run_system(server: OwnServer, settings: Settings, folder: Path) -> Iterator[Troubled]:
    """Run a worker of each lane and a dispatcher; what still runs at the end is killed."""
    journal = folder / "journal"
    workers = {
        lane: RunningWorker(
            settings, lane, 4, {JOURNAL: str(journal)}, tools="tests.whole.trouble_tools"
        )
        for lane in Lane
    }
    try:
        for worker in workers.values():
            worker.ready()
        with Dispatcher(TOOLS, settings) as dispatcher:
            yield Troubled(server, settings, workers, dispatcher, journal)
    finally:
        for worker in workers.values():
            worker.finish_off()
