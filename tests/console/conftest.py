"""A system with a worker for each lane, shared by the tests of the command line."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import structlog

from toolferry_console.local import local_workers, wait_ready
from toolferry_console.main import run
from toolferry_ledger import Settings
from toolferry_ledger.server import Served

SAMPLE_TOOLS = "tests.console.sample_tools"


@dataclass(frozen=True)
class Ran:
    """What became of one command."""

    code: int
    out: str
    err: str

    @property
    def object(self) -> Any:
        """The one JSON object that was printed."""
        return json.loads(self.out)


class Toolferry:
    """Runs commands in this process and keeps what they print."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Ran:
        """Run one command."""
        self._capsys.readouterr()
        code = run(arguments)
        out, err = self._capsys.readouterr()
        return Ran(code, out, err)


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    """Undo what a command does to the log of its process."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture
def toolferry(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> Toolferry:
    """Give the command line, on a system of its own without workers."""
    for name, value in settings.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TOOLFERRY_TOOLS", SAMPLE_TOOLS)
    monkeypatch.setenv("LC_ALL", "C")
    return Toolferry(capsys)


@pytest.fixture(scope="session")
def staffed(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Run one system with a worker for each lane for all tests here."""
    settings = Settings(
        url=server.url,
        secret=server.secret.encode(),
        namespace=f"test-{uuid.uuid4().hex[:12]}",
        home=tmp_path_factory.mktemp("home"),
    )
    with local_workers(settings, SAMPLE_TOOLS) as workers:
        wait_ready(settings, workers)
        yield settings


@pytest.fixture
def staffed_toolferry(
    toolferry: Toolferry, staffed: Settings, monkeypatch: pytest.MonkeyPatch
) -> Toolferry:
    """Give the command line, on the shared system with workers."""
    monkeypatch.setenv("TOOLFERRY_NAMESPACE", staffed.namespace)
    return toolferry
