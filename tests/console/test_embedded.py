"""The commands with nothing configured: the server and the workers are their own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from tests.console.ear import PATIENCE, started
from tests.console.responses import calling, written
from tests.waiting import wait_until
from toolferry_ledger.server import Membership

TOOLS = '''
from toolferry import tool

@tool
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b

@tool
def hold() -> str:
    """Run in a child process."""
    return "held"
'''


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """Write a module of tools under a name that no other test has; give the name."""
    name = f"tools_{uuid.uuid4().hex[:8]}"
    (tmp_path / f"{name}.py").write_text(TOOLS)
    return name


@pytest.fixture
def environ() -> Mapping[str, str]:
    """Give an environment in which nothing is configured."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TOOLFERRY_")}


def processes_naming(word: str) -> list[str]:
    """List the command lines that hold a word; empty where there is no /proc."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(path.read_bytes().decode(errors="replace").replace("\0", " "))
        except OSError:  # it has gone meanwhile
            continue
    return [line for line in lines if word in line]


@contextmanager
def member_of(folder: Path) -> Iterator[str]:
    """Use the embedded server of a folder for a while; give its URL."""
    member = Membership(folder / ".toolferry")
    try:
        yield member.join().url
    finally:
        member.leave()


def server_process(client: redis.Redis) -> int | None:
    """Ask a server for its process id; None while there is none."""
    try:
        return int(client.info()["process_id"])
    except redis.ConnectionError:
        return None


def test_run_brings_its_own_server_and_workers(
    tmp_path: Path, tools: str, environ: Mapping[str, str]
) -> None:
    """One command in an empty folder is enough, and nothing of it stays."""
    response = written(tmp_path, calling(("add", {"a": 1, "b": 2}), ("hold", {})))
    command = [sys.executable, "-m", "toolferry_console.main", "run", response, "--json"]

    ran = subprocess.run(
        [*command, "--tools", tools],
        cwd=tmp_path,
        env=dict(environ),
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * PATIENCE,
    )

    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["state"] == "complete"
    assert processes_naming(tools) == []


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGTERM, marks=pytest.mark.slow), signal.SIGINT]
)
def test_up_starts_both_lanes_and_stops_them(
    tmp_path: Path, tools: str, environ: Mapping[str, str], number: signal.Signals
) -> None:
    """Each line says which lane speaks; Ctrl-C and SIGTERM stop everything in order."""
    with started("up", "--tools", tools, cwd=tmp_path, environ=environ) as up:
        up.ear.wait_for("worker.ready")
        up.ear.wait_for("worker.ready")

        code = up.stop(number)

    assert code == 0
    assert processes_naming(tools) == []


def test_up_starts_a_killed_worker_again(
    tmp_path: Path, tools: str, environ: Mapping[str, str]
) -> None:
    """A lane is back without anybody doing anything."""
    with started("up", "--tools", tools, cwd=tmp_path, environ=environ) as up:
        ready = up.ear.wait_for("async", "worker.ready")
        owner = re.search(r"owner=async\S*\.(\d+)\.", ready)
        assert owner is not None

        os.kill(int(owner[1]), signal.SIGKILL)

        up.ear.wait_for("async", "ended with SIGKILL")
        up.ear.wait_for("async", "worker.ready")
        assert up.stop() == 0


@pytest.mark.slow
def test_up_starts_a_killed_server_again(
    tmp_path: Path, tools: str, environ: Mapping[str, str]
) -> None:
    """The embedded server comes back on its data, and the workers go on."""
    with started("up", "--tools", tools, cwd=tmp_path, environ=environ) as up:
        up.ear.wait_for("worker.ready")
        up.ear.wait_for("worker.ready")
        with member_of(tmp_path) as url, redis.Redis.from_url(url) as client:
            killed = client.info()["process_id"]

            os.kill(killed, signal.SIGKILL)

            wait_until(lambda: server_process(client) not in {None, killed}, "another server")
        response = written(tmp_path, calling(("add", {"a": 1, "b": 2})))
        with started("run", response, "--tools", tools, cwd=tmp_path, environ=environ) as ran:
            ran.ear.wait_for("complete, 1 call, 1 succeeded")
        assert up.stop() == 0


@pytest.mark.parametrize("lane", ["async", "process"])
def test_worker_runs_one_lane(
    tmp_path: Path, tools: str, environ: Mapping[str, str], lane: str
) -> None:
    """One worker in this process, which finishes and leaves on SIGTERM."""
    command = ("worker", "--lane", lane, "--tools", tools)
    with started(*command, cwd=tmp_path, environ=environ) as worker:
        worker.ear.wait_for("worker.ready", lane)

        assert worker.stop() == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's end")
def test_no_worker_outlives_an_up_that_was_killed(
    tmp_path: Path, tools: str, environ: Mapping[str, str]
) -> None:
    """SIGKILL leaves no orphans that would go on taking calls."""
    with started("up", "--tools", tools, cwd=tmp_path, environ=environ) as up:
        up.ear.wait_for("worker.ready")
        up.ear.wait_for("worker.ready")

        up.stop(signal.SIGKILL)

    wait_until(lambda: processes_naming(tools) == [], "the end of all workers")
    # The next command here takes over the server that was left behind, and stops it at its end.
    with started("status", cwd=tmp_path, environ=environ) as status:
        status.ear.wait_for("no worker is alive for the process lane")
        assert status.wait() == 0
