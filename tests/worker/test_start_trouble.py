"""Trouble at the start of a process worker: it becomes ready all the same."""

from __future__ import annotations

import os
import signal
from types import SimpleNamespace

import pytest

from chaos.processes import children_of
from tests.waiting import wait_until
from tests.worker.caller import Caller, outcomes
from tests.worker.running import Start
from toolferry import Lane, LedgerUnavailable
from toolferry_worker import persistence
from toolferry_worker.consumer import _listen_again
from toolferry_worker.porter import Porter
from toolferry_worker.station import Station


def test_a_child_that_dies_before_the_worker_is_ready_is_replaced(
    caller: Caller, start: Start
) -> None:
    """The worker does not end with it."""
    worker = start(Lane.PROCESS, concurrency=2)
    first, *_ = wait_until(lambda: children_of(worker.pid), "a child")
    os.kill(first, signal.SIGKILL)

    worker.ready()

    assert outcomes(caller.run(("add", {"left": 1}), ("add", {"left": 2}))) == ["succeeded"] * 2
    wait_until(lambda: len(children_of(worker.pid)) == 2, "another child")


def test_a_server_that_does_not_answer_yet_is_asked_again(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be loading its data when the worker wants to tell that it is there."""
    monkeypatch.setattr(persistence, "PAUSE", 0.0)
    tries: list[int] = []

    def serve() -> None:
        tries.append(len(tries))
        if len(tries) < 3:
            raise LedgerUnavailable("unix://", "it is loading")

    Porter(station, size=1).start(serve)

    assert tries == [0, 1, 2]


def test_a_dying_child_is_heard_of_again() -> None:
    """Its mark, left by the last event loop, would end the worker when the next one begins."""
    dying, living, new = (
        SimpleNamespace(_sentinel_poll=None),
        SimpleNamespace(_sentinel_poll=7),
        SimpleNamespace(),
    )
    pool = SimpleNamespace(_pool=SimpleNamespace(_pool=[dying, living, new]))

    _listen_again(pool)

    assert [vars(child) for child in (dying, living, new)] == [{}, {"_sentinel_poll": 7}, {}]
