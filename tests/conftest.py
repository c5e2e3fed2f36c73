"""The fixtures that all rooms share: a real server, and a namespace of its own for every test.

`TOOLFERRY_TEST_SERVER=redis-server` runs the tests on another server of the PATH.
"""

from __future__ import annotations

import gc
import os
import shutil
import uuid
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path

import hypothesis
import pytest
import redis
import structlog

from toolferry_ledger import Settings
from toolferry_ledger.server import Membership, Served, find_binary

# An example that is slow once, on a machine that others use too, says nothing about the code.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")
# Left to itself, structlog paints every traceback with all variables, which takes a second.
structlog.dev.ConsoleRenderer.get_active().exception_formatter = structlog.dev.plain_traceback

_TESTS = Path(__file__).parent
#: The rooms whose tests start processes and wait for them, those with the longest files first.
_WAITING = ("chaos", "whole", "console", "worker", "examples", "docs")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Import all tests without looking for garbage, and never look at them for any again.

    They come to half a gigabyte, which would be walked through time and again, and none of it goes.
    What the tests themselves leave is looked for a hundredth as often: that was a sixth of their
    time. What was left open is found all the same, at the end.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(100_000, 20, 100)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mix the files whose tests wait with those that only reckon, each from its first to its last.

    So there is always something to do while a process of `make test` waits. What takes longest
    comes first, so that none of them sits alone over it at the end; within a room, the order stays
    as random as it was.
    """
    files = sorted(dict.fromkeys(item.path for item in items), key=lambda path: _turn(_room(path)))
    waiting = [path for path in files if _room(path) in _WAITING]
    reckoning = [path for path in files if _room(path) not in _WAITING]
    place = {
        path: at / len(group) for group in (waiting, reckoning) for at, path in enumerate(group)
    }
    items.sort(key=lambda item: place[item.path])


def _turn(room: str) -> int:
    """Give the place of a room in the order."""
    return _WAITING.index(room) if room in _WAITING else len(_WAITING)


@cache
def _room(path: Path) -> str:
    """Name the room of a test by its file; empty for what is in none."""
    return path.relative_to(_TESTS).parts[0] if path.is_relative_to(_TESTS) else ""


#: The rooms whose processes do what those of other rooms do, many times over: half of a process's
#: start and a third of its time would go into measuring it again.
_UNMEASURED = ("chaos", "whole", "examples", "docs")
#: What coverage tells the processes that a test starts.
_MEASURED_HOW = "COVERAGE_PROCESS_CONFIG"
_how = os.environ.get(_MEASURED_HOW, "")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have the processes of this test measured, unless its room's are not, before any fixture."""
    if _how and _room(item.path) in _UNMEASURED:
        os.environ.pop(_MEASURED_HOW, None)
    elif _how:
        os.environ[_MEASURED_HOW] = _how


@pytest.fixture(scope="session")
def server_binary() -> Path:
    """Give the server program that the tests run on."""
    wanted = os.environ.get("TOOLFERRY_TEST_SERVER", "valkey")
    if wanted == "valkey":
        return find_binary()
    found = shutil.which(wanted)
    if found is None:
        pytest.fail(f"TOOLFERRY_TEST_SERVER: there is no {wanted} on the PATH")
    return Path(found)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, server_binary: Path) -> Iterator[Served]:
    """Run one real server for all tests, in a folder of its own."""
    member = Membership(tmp_path_factory.mktemp("home"), server_binary)
    yield member.join()
    member.leave()


@pytest.fixture
def settings(server: Served, tmp_path: Path) -> Settings:
    """Give the settings of a system of its own on the shared server."""
    return Settings(
        url=server.url,
        secret=server.secret.encode(),
        namespace=f"test-{uuid.uuid4().hex[:12]}",
        home=tmp_path / "home",
    )


@pytest.fixture
def client(settings: Settings) -> Iterator[redis.Redis]:
    """Give a client of the shared server that speaks text."""
    with redis.Redis.from_url(settings.redis_url, decode_responses=True) as opened:
        yield opened


@pytest.fixture(scope="session")
def keys_without_ttl() -> Callable[[redis.Redis, str], set[str]]:
    """Give a function that lists the keys of a prefix which nothing will ever remove."""

    def listed(client: redis.Redis, prefix: str) -> set[str]:
        keys = [_text(key) for key in client.scan_iter(match=f"{prefix}*", count=1000)]
        return {key for key in keys if client.ttl(key) == -1}

    return listed


def _text(key: bytes | str) -> str:
    return key.decode() if isinstance(key, bytes) else key
