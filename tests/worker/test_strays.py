"""Strays: notices that wait for a child that died before it took them."""

from __future__ import annotations

from toolferry_worker.board import Board
from toolferry_worker.strays import STRAY_AFTER, Strays


def strays_of(*fences: int, ready: int | None = None) -> Strays:
    """Look at children that work on these attempts; 0 for an idle child."""
    board = Board(len(fences))
    for index, fence in enumerate(fences):
        seat = board.seat(index)
        seat.enter(100 + index)
        if fence:
            seat.take("t:0", fence)
    count = None if ready is None else lambda: ready
    return Strays(board, count, lambda _reason: None)


def found(strays: Strays, *fences: int) -> list[bool]:
    """Look right away, before and after a notice counts as a stray."""
    return [strays.look(list(fences), now) for now in (0.0, STRAY_AFTER - 1, STRAY_AFTER + 1)]


def test_a_notice_that_waits_although_a_child_is_idle_is_a_stray() -> None:
    """After longer than any child takes to take one."""
    assert found(strays_of(7, 0), 7, 8) == [False, False, True]


def test_a_notice_that_a_child_works_on_is_none() -> None:
    """However long that takes."""
    assert found(strays_of(7, 0), 7) == [False, False, False]


def test_a_notice_that_waits_for_a_busy_child_is_none() -> None:
    """All of them have something to do, or cannot take calls yet."""
    assert found(strays_of(7, 9), 7, 8, 9) == [False, False, False]
    assert found(strays_of(7, 0, ready=1), 7, 8) == [False, False, False]


def test_a_notice_that_was_taken_meanwhile_is_forgotten() -> None:
    """Another with the same number begins anew."""
    strays = strays_of(0)
    strays.look([8], 0.0)
    strays.look([], 1.0)

    assert not strays.look([8], STRAY_AFTER + 1)
