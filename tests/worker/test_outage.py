"""The server goes away and comes back: limits hold meanwhile, and no end is lost."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.worker.caller import Caller, outcomes, wait_running
from tests.worker.running import RunningWorker
from toolferry import CallState, Lane, call_key
from toolferry_ledger import Bell, Canceller, Settings, Signer
from toolferry_ledger.server import Membership


@dataclass
class Outage:
    """A server that can be taken away."""

    member: Membership
    caller: Caller

    def begin(self) -> None:
        """Kill the server."""
        pid = int(self.caller.ledger.client.info("server")["process_id"])
        os.kill(pid, signal.SIGKILL)

    def end(self) -> None:
        """Start it again on its data."""
        self.member.join()


@pytest.fixture
def outage(tmp_path: Path, server_binary: Path) -> Iterator[Outage]:
    """Run a server for this test alone."""
    member = Membership(tmp_path / "home", server_binary)
    served = member.join()
    settings = Settings(
        url=served.url, secret=served.secret.encode(), namespace="outage", home=tmp_path
    )
    caller = Caller(settings)
    yield Outage(member, caller)
    caller.close()
    member.leave()


@pytest.fixture
def workers(outage: Outage) -> Iterator[dict[Lane, RunningWorker]]:
    """Run one worker of each lane."""
    workers = {lane: RunningWorker(outage.caller.settings, lane, concurrency=2) for lane in Lane}
    yield {lane: worker.ready() for lane, worker in workers.items()}
    for worker in workers.values():
        worker.finish_off()


def test_limits_hold_and_ends_are_kept_while_the_server_is_away(
    outage: Outage, workers: dict[Lane, RunningWorker], folder: str
) -> None:
    """What ends or is over its limit during an outage is written when the server is back."""
    caller = outage.caller
    turn_id = caller.submit(
        ("held", {"folder": folder}),
        ("held_loop", {"folder": folder}),
        ("deaf", {"seconds": 60}),
    )
    wait_running(folder, "c0.1", "c1.1")
    wait_until(lambda: _is_running(caller, call_key(turn_id, 2)), "the deaf call")
    outage.begin()
    workers[Lane.PROCESS].wait_for("attempt.killed")
    Path(folder, "go").touch()
    for worker in workers.values():
        worker.wait_for("ledger.unavailable")

    outage.end()
    results = caller.wait(turn_id, 3)

    assert outcomes(results) == ["succeeded", "succeeded", "timed_out"]
    assert [result.attempts for result in results] == [1, 1, 1]
    assert outcomes(caller.run(("echo", {"text": "a"}), ("add", {"left": 1}))) == ["succeeded"] * 2


def _is_running(caller: Caller, key: str) -> bool:
    call = caller.ledger.inspect_call(key)
    return call is not None and call.state is CallState.RUNNING


def test_calls_are_cancelled_again_after_an_outage(
    outage: Outage, workers: dict[Lane, RunningWorker], folder: str
) -> None:
    """Workers hear their orders as soon as the server is back."""
    caller = outage.caller
    settings = caller.settings
    turn_id = caller.submit(("held", {"folder": folder}), ("held_loop", {"folder": folder}))
    wait_running(folder, "c0.1", "c1.1")
    outage.begin()
    for worker in workers.values():
        worker.wait_for("ledger.unavailable")
    outage.end()

    canceller = Canceller(caller.ledger, Bell(settings), Signer(settings.secret))
    canceller.cancel([call_key(turn_id, at) for at in range(2)])

    assert outcomes(caller.wait(turn_id, 2)) == ["cancelled"] * 2
