"""The async lane on its own, over a real ledger."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from tests.worker.caller import Caller, wait_running
from toolferry import CallState
from toolferry_ledger import Bell, Reaper
from toolferry_worker.async_lane import AsyncLane
from toolferry_worker.orders import Order
from toolferry_worker.publisher import Publisher
from toolferry_worker.pulse import Pulse
from toolferry_worker.reaping import ReaperThread
from toolferry_worker.station import Station


@pytest.fixture
def idle_lane(station: Station, caller: Caller) -> AsyncLane:
    """Give an async lane whose loop does not run yet."""
    bell = Bell(station.settings)
    reaper = ReaperThread(Reaper(caller.ledger, bell, station.signer))
    return AsyncLane(station, caller.ledger, Publisher(bell), reaper, Pulse(), pytest.fail)


@pytest.fixture
def lane(idle_lane: AsyncLane) -> AsyncLane:
    """Run an async lane in this process; the test drains it."""
    idle_lane.start()
    return idle_lane


def drain(lane: AsyncLane) -> None:
    """Drain a lane without grace."""
    lane.drain(0.0, lambda: None)


def notice_of(caller: Caller, turn_id: str, index: int = 0) -> tuple[str, int]:
    """Give the notice of a call that was submitted."""
    found = caller.ledger.inspect_call(f"{turn_id}:{index}")
    assert found is not None
    return found.call_key, found.fence


def test_a_batch_is_claimed_at_once_and_each_call_ends_on_its_own(
    lane: AsyncLane, caller: Caller
) -> None:
    """The main thread is free again before the calls have ended."""
    turn_id = caller.submit(("echo", {"text": "a"}), ("echo", {"text": "b"}))

    lane.take([notice_of(caller, turn_id, index) for index in range(2)])

    assert [result.content for result in caller.wait(turn_id, 2)] == ["a", "b"]
    drain(lane)


def test_a_notice_that_came_twice_runs_its_call_once(
    lane: AsyncLane, caller: Caller, folder: str
) -> None:
    """Only the first claim gets it."""
    turn_id = caller.submit(("held_loop", {"folder": folder}))
    notice = notice_of(caller, turn_id)

    lane.take([notice])
    lane.take([notice])
    wait_running(folder, "c0.1")
    Path(folder, "go").touch()

    assert caller.wait(turn_id, 1)[0].attempts == 1
    drain(lane)


def test_a_call_that_has_hardly_begun_is_put_back(
    lane: AsyncLane, caller: Caller, folder: str
) -> None:
    """Taken a moment before the worker stops, it waits for another worker."""
    turn_id = caller.submit(("held_loop", {"folder": folder}))

    lane.take([notice_of(caller, turn_id)])
    drain(lane)

    assert caller.state(turn_id, 0) is CallState.QUEUED


def test_a_loop_that_was_blocked_when_its_worker_stopped_leaves_nothing_behind(
    lane: AsyncLane, caller: Caller, folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its call is told of by the stand-in; once the handler lets go, the loop ends in order."""
    turn_id = caller.submit(("block_loop", {"folder": folder}))
    loop = next(thread for thread in threading.enumerate() if thread.name == "loop")

    lane.take([notice_of(caller, turn_id)])
    wait_running(folder, "c0.1")
    lane.drain(1.0, lambda: None)
    Path(folder, "go").touch()
    loop.join(5)
    gc.collect()

    assert not loop.is_alive()
    assert "was destroyed" not in caplog.text


def test_a_call_that_is_cancelled_before_its_handler_begins_never_begins(
    idle_lane: AsyncLane, caller: Caller, folder: str
) -> None:
    """Its worker had claimed it already; the result says that nothing was started."""
    turn_id = caller.submit(("held_loop", {"folder": folder}))
    key, fence = notice_of(caller, turn_id)

    idle_lane.take([(key, fence)])
    idle_lane.obey(Order(key, fence, "the user left"))
    idle_lane.start()

    (result,) = caller.wait(turn_id, 1)
    assert result.error is not None
    assert result.error.message == ("held_loop was cancelled before it was started: the user left.")
    assert not Path(folder, "c0.1").exists()
    drain(idle_lane)
