"""The server is frozen for 20 s: limits hold, and nothing is run again or lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.worker import tools_limits
from tests.worker.caller import Caller, outcomes
from tests.worker.running import RunningWorker
from toolferry import CallState, Lane, Registry
from toolferry_ledger import Settings
from toolferry_ledger.server import Membership

#: Seconds; longer than any lease.
FREEZE = 20.0
OVER = ["sleep_child", "spin_child", "hold_child", "await_loop", "block_loop", "spin_loop"]


@dataclass
class Freezer:
    """A server that can be frozen."""

    caller: Caller
    pid: int

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Keep it frozen while the block lasts, and for as long as it is to be."""
        os.kill(self.pid, signal.SIGSTOP)
        until = time.monotonic() + FREEZE
        yield
        # The freeze is as long as it is: what could tell of its end is what is frozen.
        time.sleep(max(0.0, until - time.monotonic()))
        os.kill(self.pid, signal.SIGCONT)


@pytest.fixture
def freezer(tmp_path: Path, server_binary: Path) -> Iterator[Freezer]:
    """Run a server for this test alone."""
    member = Membership(tmp_path / "home", server_binary)
    served = member.join()
    settings = Settings(
        url=served.url, secret=served.secret.encode(), namespace="freeze", home=tmp_path
    )
    caller = Caller(settings, Registry.from_module(tools_limits))
    yield Freezer(caller, int(caller.ledger.client.info("server")["process_id"]))
    caller.close()
    member.leave()


@pytest.fixture
def workers(freezer: Freezer) -> Iterator[dict[Lane, RunningWorker]]:
    """Run one worker of each lane."""
    settings, tools = freezer.caller.settings, tools_limits.__name__
    workers = {lane: RunningWorker(settings, lane, concurrency=6, tools=tools) for lane in Lane}
    yield {lane: worker.ready() for lane, worker in workers.items()}
    for worker in workers.values():
        worker.finish_off()


def start_running(caller: Caller, *names: str, seconds: float | None = None) -> str:
    """Submit calls and wait until all of them run."""
    arguments = {} if seconds is None else {"seconds": seconds}
    turn_id = caller.submit(*[(name, arguments) for name in names])
    for index in range(len(names)):
        wait_until(partial(_runs, caller, turn_id, index), "the calls")
    return turn_id


def _runs(caller: Caller, turn_id: str, index: int) -> bool:
    return caller.state(turn_id, index) is CallState.RUNNING


@pytest.mark.slow
@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize("name", OVER)
def test_a_limit_that_passes_meanwhile_is_told_afterwards(freezer: Freezer, name: str) -> None:
    """Once, as timed out; the workers go on."""
    turn_id = start_running(freezer.caller, name)

    with freezer.frozen():
        pass
    results = freezer.caller.wait(turn_id, 1)
    again = freezer.caller.run(("echo_child", {}), ("echo_loop", {}))

    assert (outcomes(results), results[0].attempts) == (["timed_out"], 1)
    assert outcomes(again) == ["succeeded"] * 2


@pytest.mark.slow
@pytest.mark.usefixtures("workers")
def test_what_runs_within_its_limit_runs_once(freezer: Freezer) -> None:
    """Calls that end while the server is frozen, and calls that end after."""
    caller = freezer.caller
    short = start_running(caller, "work_child", "work_loop", seconds=5)
    long = start_running(caller, "work_child", "work_loop", seconds=FREEZE + 5)

    with freezer.frozen():
        pass
    results = [*caller.wait(short, 2), *caller.wait(long, 2)]

    assert outcomes(results) == ["succeeded"] * 4
    assert [result.attempts for result in results] == [1] * 4
