"""Recovery: what is measured, and from when."""

from __future__ import annotations

import pytest

from chaos.recovery import heals, percentile, recoveries, resumptions
from tests.chaos.histories import attempt, call, history, turn


def test_recovery_runs_from_the_kill_to_the_next_start() -> None:
    """A call that ended by itself has none."""
    killed = call("look", attempt(1, None, died=2), attempt(5, 6, number=2))
    failed = call("stumble", attempt(1, 2, how="failed"), attempt(3, 4, number=2))

    assert recoveries(history(turn(0, killed, failed))) == {"s0-0:0 attempt 2": 3}


def test_recovery_begins_when_the_server_is_back() -> None:
    """Nobody can go on without it; a return after the next start says nothing."""
    killed = call("look", attempt(1, None, died=2), attempt(5, 6, number=2))
    back = [{"what": "server_back", "at": at} for at in (1.5, 4.0, 5.5)]

    assert recoveries(history(turn(0, killed), faults=back)) == {"s0-0:0 attempt 2": 1}


def test_a_deleted_notice_counts_from_its_deletion_to_the_next_start() -> None:
    """A call that never started again, because it had ended, is not counted."""
    deleted = {"what": "delete_notice", "at": 2.0, "keys": ["s0-0:0", "s0-0:1", "x:0"]}
    run = history(
        turn(0, call("look", attempt(9, 10)), call("look", attempt(1, 3))), faults=[deleted]
    )

    assert heals(run) == {"s0-0:0": 7}


def test_work_goes_on_some_time_after_the_server_is_back() -> None:
    """At the next start of any handler."""
    back = [{"what": "server_back", "at": 4.0}]
    run = history(turn(0, call("look", attempt(1, 2)), call("look", attempt(4.5, 5))), faults=back)

    assert resumptions(run) == [0.5]


@pytest.mark.parametrize(("part", "value"), [(0.5, 2), (0.99, 4), (0.0, 1), (1.0, 4)])
def test_a_percentile_is_one_of_the_values(part: float, value: float) -> None:
    """The least that is not exceeded by that part of them."""
    assert percentile([4, 1, 3, 2], part) == value
