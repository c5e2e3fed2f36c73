"""Workers that die or freeze in the middle of a call: it is run elsewhere, and ends once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.worker.caller import Caller, outcomes, wait_running
from tests.worker.processes import is_alive
from tests.worker.running import RunningWorker, Start
from toolferry import Lane
from toolferry_ledger import Keeping, Settings


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Give a system in which a dead worker is noticed soon."""
    return replace(settings, keeping=Keeping(lease=2.0))


@pytest.fixture
def victims(start: Start) -> dict[Lane, RunningWorker]:
    """Run one worker of each lane."""
    workers = {lane: start(lane, concurrency=2) for lane in Lane}
    return {lane: worker.ready() for lane, worker in workers.items()}


@pytest.fixture
def let_go(folder: str) -> Iterator[Callable[[], object]]:
    """Give what lets held calls go; they are let go in the end anyway."""
    go = Path(folder, "go").touch
    yield go
    go()


def helper_of(pid: int) -> int:
    """Find the process that renews an async worker's lease."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    assert len(children) == 1
    return int(children[0])


def test_calls_of_a_killed_worker_succeed_elsewhere(
    caller: Caller, victims: dict[Lane, RunningWorker], start: Start, folder: str
) -> None:
    """SIGKILL in both lanes: the second attempt succeeds within 15 s; a write is not repeated."""
    turn_id = caller.submit(
        ("held", {"folder": folder}),
        ("held_loop", {"folder": folder}),
        ("held_write", {"folder": folder}),
    )
    wait_running(folder, "c0.1", "c1.1", "c2.1")
    others = [start(lane, concurrency=2) for lane in Lane]
    for other in others:
        other.ready()
    killed_at = time.monotonic()
    for victim in victims.values():
        victim.kill()

    results = caller.wait(turn_id, 3)

    assert outcomes(results) == ["succeeded", "succeeded", "lost"]
    assert [result.content for result in results] == ["attempt 2", "attempt 2", None]
    assert time.monotonic() - killed_at < 15


@pytest.mark.slow
def test_a_late_owner_cannot_overwrite_anything(
    caller: Caller,
    victims: dict[Lane, RunningWorker],
    start: Start,
    folder: str,
    let_go: Callable[[], object],
) -> None:
    """Workers that were frozen past their lease come back with a result: it is refused."""
    turn_id = caller.submit(("held", {"folder": folder}), ("held_loop", {"folder": folder}))
    wait_running(folder, "c0.1", "c1.1")
    os.kill(helper_of(victims[Lane.ASYNC].pid), signal.SIGKILL)
    for victim in victims.values():
        victim.send(signal.SIGSTOP)
    for lane in Lane:
        start(lane, concurrency=2)
    before = caller.wait(turn_id, 2)

    let_go()
    for victim in victims.values():
        victim.send(signal.SIGCONT)
        victim.wait_for("lease.lost", attempt=1)

    assert [result.content for result in before] == ["attempt 2", "attempt 2"]
    assert caller.wait(turn_id, 2) == before


def test_a_killed_worker_leaves_no_process_behind(
    victims: dict[Lane, RunningWorker],
) -> None:
    """Children and the lease's helper die with their worker."""
    pids = [
        int(pid)
        for worker in victims.values()
        for pid in Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()
    ]

    for worker in victims.values():
        worker.kill()

    assert len(pids) == 3
    wait_until(lambda: not any(map(is_alive, pids)), "the end of all children")
