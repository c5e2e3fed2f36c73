"""The plan and the load: the same seed gives the same, and enough of everything."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from chaos.load import planned
from chaos.plan import KILLS, RESTARTS, Fault, FaultKind, freezes, kills, notices, restarts


def all_faults(seed: int, seconds: float) -> list[Fault]:
    """Give all four sequences of a plan."""
    return [one for plan in (kills, freezes, restarts, notices) for one in plan(seed, seconds)]


def test_the_same_seed_gives_the_same_plan() -> None:
    """And another seed another one."""
    assert all_faults(7, 60) == all_faults(7, 60)
    assert all_faults(7, 60) != all_faults(8, 60)


@pytest.mark.parametrize("seed", range(20))
def test_a_minute_holds_enough_of_everything(seed: int) -> None:
    """Thirty kills, three restarts of both kinds, and every other fault."""
    counts = Counter(one.kind for one in all_faults(seed, 60))

    assert sum(counts[kind] for kind in KILLS) >= 40
    assert sum(counts[kind] for kind in RESTARTS) >= 4
    assert {*FaultKind} - {FaultKind.SUSPEND_WORKER} <= counts.keys()


def test_faults_of_a_sequence_come_one_after_the_other() -> None:
    """None begins before the last one is over, and a suspension ends in time."""
    for seed in range(20):
        sequence = list(freezes(seed, 60))
        assert all(one.at + one.lasts <= other.at for one, other in pairwise(sequence))
        long = [one for one in sequence if one.kind is FaultKind.SUSPEND_WORKER]
        assert all(one.at + one.lasts < 60 for one in long)


def test_a_short_run_has_a_restart_too() -> None:
    """However short."""
    (one,) = restarts(3, 5)

    assert 0 < one.at < 5


def test_a_turn_can_be_planned_again() -> None:
    """By another process, after its dispatcher died."""
    assert planned(7, 1, 12) == planned(7, 1, 12)
    assert planned(7, 1, 12).calls != planned(7, 1, 13).calls


def test_the_load_holds_every_tool() -> None:
    """In some hundred turns, together with turns that are gathered twice or cancelled."""
    turns = [planned(7, 0, number) for number in range(400)]
    tools = {call.tool for turn in turns for call in turn.calls}

    assert len(tools) == 13
    assert any(turn.twice for turn in turns)
    assert any(turn.cancel_after is not None for turn in turns)
