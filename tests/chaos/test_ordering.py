"""The order: overlaps and overtakings are found, and what may be together is none."""

from __future__ import annotations

from chaos.history import Attempt, Call, TurnHistory
from chaos.ordering import misordered
from chaos.run import tools_by_name
from tests.chaos.histories import attempt, call, history, turn

TOOLS = tools_by_name()


def write(*attempts: Attempt) -> Call:
    """Write a write of cell 1."""
    return call("write_cell", *attempts, cell=1)


def read(*attempts: Attempt) -> Call:
    """Write a read of cell 1."""
    return call("read_cell", *attempts, cell=1)


def breaches(*turns: TurnHistory) -> list[str]:
    """Give what is found in some turns."""
    return [f"{one.key}: {one.sentence}" for one in misordered(history(*turns), TOOLS)]


def test_a_write_that_overlaps_a_read_is_found() -> None:
    """Whichever comes first."""
    first = breaches(turn(0, read(attempt(1, 3)), write(attempt(2, 4))))
    second = breaches(turn(0, write(attempt(1, 3)), read(attempt(2, 4))))

    assert first == second == ["s0-0:1: it overlaps s0-0:0"]


def test_reads_beside_reads_and_other_cells_are_no_breach() -> None:
    """They do not conflict."""
    other = call("write_cell", attempt(1, 3), cell=2)

    assert breaches(turn(0, read(attempt(1, 3)), read(attempt(2, 4)), other)) == []


def test_a_call_that_was_passed_by_a_later_one_of_its_turn_is_found() -> None:
    """The model's order counts."""
    found = breaches(turn(0, write(attempt(3, 4)), read(attempt(1, 2))))

    assert found == ["s0-0:0: it came after s0-0:1, which was asked for later"]


def test_a_call_that_was_passed_by_one_of_a_later_turn_is_found() -> None:
    """The dispatches did not overlap, so their order counts."""
    early = turn(0, write(attempt(3, 4)), begun=0.0, promised=0.1)
    late = turn(1, write(attempt(1, 2)), begun=0.2, promised=0.3)

    assert breaches(early, late) == ["s0-0:0: it came after s0-1:0, which was asked for later"]


def test_dispatches_that_overlapped_have_no_order() -> None:
    """Either may be first."""
    one = turn(0, write(attempt(3, 4)), begun=0.0, promised=0.5)
    other = turn(1, write(attempt(1, 2)), begun=0.2, promised=0.3)

    assert breaches(one, other) == []


def test_a_retry_that_comes_after_a_later_call_is_found() -> None:
    """A retry is not an end: the call keeps its place."""
    again = write(attempt(1, None, died=1.5), attempt(4, 5, number=2))

    found = breaches(turn(0, again, write(attempt(2, 3))))

    assert found == ["s0-0:0: it came after s0-0:1, which was asked for later"]


def test_an_attempt_whose_process_was_killed_is_over_then() -> None:
    """And one of which nobody knows when it was over counts as over at once."""
    assert breaches(turn(0, write(attempt(1, None, died=2)), write(attempt(3, 4)))) == []
    assert breaches(turn(0, write(attempt(1, None)), write(attempt(3, 4)))) == []
    assert breaches(turn(0, write(attempt(1, None, died=9)), write(attempt(3, 4)))) != []


def test_what_a_suspended_worker_does_when_it_wakes_up_is_no_breach() -> None:
    """It had been taken for dead."""
    woken = write(attempt(1, 12, suspended=True))

    assert breaches(turn(0, woken, write(attempt(8, 9)))) == []


def test_a_call_beside_an_exclusive_one_is_found() -> None:
    """Also when it touches nothing; in another turn it is no breach."""
    barrier = call("reset_board", attempt(1, 3))
    beside = call("look", attempt(2, 4))
    elsewhere = turn(1, call("look", attempt(2, 4)))

    assert breaches(turn(0, barrier, beside), elsewhere) == ["s0-0:1: it overlaps s0-0:0"]
