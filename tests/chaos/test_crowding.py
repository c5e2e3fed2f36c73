"""Crowding: more calls at once than may run are found."""

from __future__ import annotations

from chaos.crowding import crowded
from chaos.history import Attempt
from chaos.run import tools_by_name
from tests.chaos.histories import attempt, call, history, turn

TOOLS = tools_by_name()


def found(*attempts: Attempt) -> list[str]:
    """Give the calls that are found, when each attempt is one call's for three seats."""
    calls = [call("take_seat", one) for one in attempts]
    return [one.key for one in crowded(history(turn(0, *calls)), TOOLS)]


def test_a_fourth_call_beside_three_is_found() -> None:
    """It is named itself, whatever its place in the turn."""
    assert found(attempt(2, 5), attempt(1, 3), attempt(1, 4), attempt(1, 5)) == ["s0-0:0"]


def test_a_call_that_takes_a_place_that_was_left_is_none_too_many() -> None:
    """Also the place of one that was killed, or that was suspended and taken for dead."""
    two = attempt(1, 9), attempt(1, 9)

    assert found(*two, attempt(1, 2), attempt(3, 9)) == []
    assert found(*two, attempt(1, None, died=2), attempt(3, 9)) == []
    assert found(*two, attempt(1, 9, suspended=True), attempt(3, 9)) == []
