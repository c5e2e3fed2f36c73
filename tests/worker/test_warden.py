"""The warden: when it ends a worker, and when not."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tests.waiting import wait_until
from toolferry_worker.descendants import process_state
from toolferry_worker.pulse import Pulse
from toolferry_worker.station import Station
from toolferry_worker.warden import HOLDERS_TIME, STILL_AFTER, Warden


@pytest.fixture
def pulse() -> Pulse:
    """Give a pulse that has beaten at 100, under a handler whose limit passes at 90."""
    pulse = Pulse()
    pulse.beat(100.0, 500.0)
    pulse.enter(90.0)
    return pulse


@pytest.fixture
def worker() -> Iterator[int]:
    """Run a process in a worker's place."""
    process = subprocess.Popen(["/bin/sleep", "600"])
    yield process.pid
    process.kill()
    process.wait()


def test_a_worker_that_is_held_after_the_limit_is_ended(
    station: Station, pulse: Pulse, worker: int
) -> None:
    """Once its pulse has been away for long enough."""
    warden = Warden(station, pulse, worker)

    needed = [warden.is_needed(100.0 + STILL_AFTER + shift) for shift in (-0.1, 0.1)]

    assert needed == [False, True]


def test_a_worker_that_is_held_within_the_limit_is_left_alone(
    station: Station, pulse: Pulse, worker: int
) -> None:
    """Also when other calls of it are over theirs; when nobody has the loop, all have to be."""
    warden = Warden(station, pulse, worker)
    pulse.enter(400.0)
    within = [warden.is_needed(now) for now in (399.0, 401.0 + HOLDERS_TIME)]
    pulse.leave()
    by_nobody = [warden.is_needed(now) for now in (499.0, 501.0 + HOLDERS_TIME)]

    assert (within, by_nobody) == ([False, True], [False, True])


def test_a_worker_that_somebody_has_stopped_is_left_alone(
    station: Station, pulse: Pulse, worker: int
) -> None:
    """It may go on."""
    warden = Warden(station, pulse, worker)
    os.kill(worker, signal.SIGSTOP)
    wait_until(lambda: process_state(worker) == "T", "the stop")

    assert not warden.is_needed(200.0)


def test_a_worker_without_calls_is_left_alone(station: Station, worker: int) -> None:
    """Before its first pulse, too."""
    pulse = Pulse()
    warden = Warden(station, pulse, worker)
    before = warden.is_needed(200.0)
    pulse.beat(100.0, 0.0)

    assert (before, warden.is_needed(200.0)) == (False, False)
