"""The canary: planted secrets are found nowhere, and everywhere once nothing is hidden.

An agent and a worker of each lane do whatever may be done wrong with secrets; then everything that
was written anywhere is searched: all keys of the server, its files, which have every command that
changed something and so each Celery message, the logs of agent and workers, what the command line
shows, what models read, and the audit.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.whole.canary.birds import ALL, REVEALED, found_in
from tests.whole.trouble import OwnServer
from tests.worker.running import ROOT, RunningWorker
from toolferry import Lane
from toolferry_ledger import Settings
from toolferry_ledger.audit.setting import AuditSetting

TOOLS = "tests.whole.canary.cage"
#: The same, in processes that hide nothing.
OPEN_DOORS = "tests.whole.canary.open_doors"


@dataclass
class Searched:
    """All that was written, by where."""

    places: dict[str, str]

    def found(self, bird: str) -> dict[str, set[str]]:
        """Say where a secret was found, and how it was written there."""
        places = ((place, found_in(text, bird)) for place, text in self.places.items())
        return {place: forms for place, forms in places if forms}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Give the folder of a server's data."""
    return tmp_path / "home"


@pytest.fixture
def own_server(home: Path, server_binary: Path) -> Iterator[OwnServer]:
    """Run a server for this test alone."""
    server = OwnServer(home, server_binary)
    yield server
    server.leave()


def audited(server: OwnServer, home: Path) -> Settings:
    """Give the settings of a system that records all that happens."""
    return replace(server.settings, audit=AuditSetting(folder=home / "audit"))


def search(settings: Settings, home: Path, tools: str) -> Searched:
    """Have all done, and collect what was written."""
    with ExitStack() as stack:
        workers = {lane: RunningWorker(settings, lane, 8, tools=tools) for lane in Lane}
        for worker in workers.values():
            stack.callback(worker.finish_off)
        for worker in workers.values():
            worker.ready()
        agent = run(settings, "-m", "tests.whole.canary.agent", tools)
        shown = run(settings, "-m", "tests.whole.canary.person")
        kept = dict(keys_of(settings))
        for worker in workers.values():
            worker.stop()
    files = {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file()}
    return Searched(
        {f"key {key}": text for key, text in kept.items()}
        | {f"file {name}": data.decode(errors="replace") for name, data in files.items()}
        | {f"log of {lane}": "".join(worker.lines) for lane, worker in workers.items()}
        | {"agent and models": agent, "commands": shown}
    )


def run(settings: Settings, *words: str) -> str:
    """Run a program to its end; gives all that it wrote."""
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **settings.environment(), "TOOLFERRY_TOOLS": TOOLS, "COLUMNS": "1000"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    return done.stdout


def keys_of(settings: Settings) -> Iterator[tuple[str, str]]:
    """Give every key of the server with all that it holds, of whatever type."""
    with redis.Redis.from_url(settings.redis_url) as client:
        client.save()
        reading: Mapping[bytes, Callable[[bytes], Any]] = {
            b"string": client.get,
            b"hash": client.hgetall,
            b"list": lambda key: client.lrange(key, 0, -1),
            b"set": client.smembers,
            b"zset": lambda key: client.zrange(key, 0, -1),
            b"stream": client.xrange,
        }
        for key in client.scan_iter(count=1000):
            kind: Any = client.type(key)
            yield key.decode(errors="replace"), f"{key!r} {text_of(reading[kind](key))}"


def text_of(value: Any) -> str:
    """Write what a key holds as it is: a repr would change what is looked for."""
    match value:
        case bytes():
            return value.decode(errors="replace")
        case dict():
            return "\n".join(f"{text_of(key)} {text_of(one)}" for key, one in value.items())
        case list() | tuple() | set():
            return "\n".join(map(text_of, value))
        case _:
            return str(value)


def told(searched: Searched) -> list[dict[str, Any]]:
    """Give what the models read."""
    last = searched.places["agent and models"].splitlines()[-1]
    read: list[dict[str, Any]] = json.loads(last)["read"]
    return read


@pytest.mark.slow
def test_no_canary_gets_out(own_server: OwnServer, home: Path) -> None:
    """But for the one that a result is meant to carry, and the handlers had them all."""
    searched = search(audited(own_server, home), home, TOOLS)

    assert {name: searched.found(bird) for name, bird in ALL.items()} == {name: {} for name in ALL}
    assert any(REVEALED in str(message) for message in told(searched))
    assert any('"same":true' in str(message).replace(" ", "") for message in told(searched))
    assert REVEALED not in searched.places["log of async"]
    assert any("\nartifact " in text for text in searched.places.values())
    assert any("audit" in place and "settled" in text for place, text in searched.places.items())


@pytest.mark.slow
def test_every_canary_is_found_when_nothing_is_hidden(own_server: OwnServer, home: Path) -> None:
    """In the records, the files, both logs, the commands and what models read."""
    searched = search(audited(own_server, home), home, OPEN_DOORS)

    for bird in ALL.values():
        places = searched.found(bird)
        for kind in ("key ", "file ", "log of async", "log of process", "agent", "commands"):
            assert any(place.startswith(kind) for place in places), (bird, kind)
