"""Workers that are told to stop: what they run ends, or is given back; nothing is lost."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
import redis

from tests.waiting import wait_until
from tests.worker.caller import Caller, outcomes, wait_running
from tests.worker.running import RunningWorker, Start
from toolferry import CallState, Lane
from toolferry_ledger import Pool, Route, queue_name

#: For workers that shall not wait long for what they run.
IMPATIENT = {"TOOLFERRY_DRAIN_SECONDS": "0.3"}


def start_both(start: Start, **options: object) -> dict[Lane, RunningWorker]:
    """Start a worker of each lane and wait for both."""
    workers = {lane: start(lane, concurrency=2, **options) for lane in Lane}
    return {lane: worker.ready() for lane, worker in workers.items()}


def test_a_worker_finishes_what_it_runs_before_it_stops(
    caller: Caller, start: Start, folder: str
) -> None:
    """SIGTERM: running calls end in their own way, on their first attempt."""
    workers = start_both(start)
    turn_id = caller.submit(("held", {"folder": folder}), ("held_loop", {"folder": folder}))
    wait_running(folder, "c0.1", "c1.1")
    for worker in workers.values():
        worker.send(signal.SIGTERM)
        worker.wait_for("worker.draining")

    Path(folder, "go").touch()
    codes = [worker.ended() for worker in workers.values()]

    assert codes == [0, 0]
    assert [result.attempts for result in caller.wait(turn_id, 2)] == [1, 1]


@pytest.mark.parametrize("lane", list(Lane))
def test_a_worker_that_drains_takes_no_notice_from_another(
    caller: Caller, start: Start, client: redis.Redis, folder: str, lane: Lane
) -> None:
    """A call that comes meanwhile is left in the queue, also while what runs takes its time."""
    tool = "held_loop" if lane is Lane.ASYNC else "held"
    worker = start(lane, concurrency=2).ready()
    running = caller.submit((tool, {"folder": folder}))
    wait_running(folder, "c0.1")
    worker.send(signal.SIGTERM)
    worker.wait_for("worker.draining")

    caller.submit((tool, {"folder": folder}))

    assert client.llen(queue_name(caller.settings.namespace, Route(Pool(lane)))) == 1
    Path(folder, "go").touch()
    assert outcomes(caller.wait(running, 1)) == ["succeeded"]
    assert worker.ended() == 0


def test_what_outlasts_the_grace_is_given_back(caller: Caller, start: Start, folder: str) -> None:
    """After the grace a call that may be repeated is queued again; any other ends as lost."""
    workers = start_both(start, environment=IMPATIENT)
    turn_id = caller.submit(
        ("held", {"folder": folder}),
        ("held_loop", {"folder": folder}),
        ("held_write", {"folder": folder}),
    )
    wait_running(folder, "c0.1", "c1.1", "c2.1")

    for worker in workers.values():
        worker.stop()

    states = [caller.state(turn_id, index) for index in range(3)]
    assert states == [CallState.QUEUED, CallState.QUEUED, CallState.LOST]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGQUIT], ids=["warm", "cold"])
def test_calls_that_have_not_begun_are_still_there(
    caller: Caller, start: Start, folder: str, number: signal.Signals
) -> None:
    """A worker that stops takes no notice along: each waiting call runs on the next worker."""
    worker = start(Lane.PROCESS, concurrency=1, environment=IMPATIENT).ready()
    turn_id = caller.submit(*[("held", {"folder": folder})] * 4)
    wait_until(lambda: any(Path(folder).iterdir()), "the first attempt")
    worker.send(number)
    worker.ended()
    Path(folder, "go").touch()
    start(Lane.PROCESS, concurrency=2)

    results = caller.wait(turn_id, 4)

    assert outcomes(results) == ["succeeded"] * 4
    assert sorted(result.attempts for result in results) == [1, 1, 1, 2]


def test_an_async_worker_that_is_full_gives_notices_on(
    caller: Caller, start: Start, folder: str
) -> None:
    """A notice that waits for room when its worker stops goes to another worker at once."""
    worker = start(Lane.ASYNC, concurrency=1, environment=IMPATIENT).ready()
    turn_id = caller.submit(*[("held_loop", {"folder": folder})] * 3)
    wait_until(lambda: any(Path(folder).iterdir()), "the first attempt")
    worker.stop()
    Path(folder, "go").touch()
    start(Lane.ASYNC)

    assert outcomes(caller.wait(turn_id, 3)) == ["succeeded"] * 3
