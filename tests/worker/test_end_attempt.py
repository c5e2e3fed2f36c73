"""Ending an attempt by force, against children that go on to their next one all the time."""

from __future__ import annotations

import mmap
import os
import random
import signal
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from toolferry_worker.board import Board, Row
from toolferry_worker.watchdog import Watchdog, has_ended

#: Seconds that a handler takes at the most: as long as a kill takes to come.
SHORT = 0.0004
DICE = random.Random(7)  # noqa: S311 -- a seed, no secret
NUMBER = struct.Struct("=q")


class Journal:
    """What the handlers of a child say themselves: the last one that has ended."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, NUMBER.size)

    def write(self, fence: int) -> None:
        """Say that a handler has ended."""
        NUMBER.pack_into(self._memory, 0, fence)

    @property
    def last(self) -> int:
        """The fence of the last one; 0 before the first."""
        return int(NUMBER.unpack_from(self._memory)[0])


def live_as_child(board: Board, journal: Journal) -> None:
    """Be a child: take one attempt after the other."""
    os.setpgid(0, 0)
    seat = board.seat(0)
    seat.enter(os.getpid())
    dice = random.Random()  # noqa: S311 -- no secret
    for fence in range(1, 10_000_000):
        seat.take(f"t{fence}:0", fence)
        seat.call(60.0)
        # The handler: it lasts for some time, so that what races with it may win or lose.
        time.sleep(dice.random() * SHORT)
        seat.called()
        journal.write(fence)
        seat.leave()


@contextmanager
def child_of(board: Board, journal: Journal) -> Iterator[int]:
    """Run a child, and give its process."""
    pid = os.fork()
    if not pid:
        try:
            live_as_child(board, journal)
        finally:
            os._exit(1)
    yield pid
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def row_of_a_handler(board: Board) -> Row:
    """Wait until the child is in a handler."""
    while not (row := board.row(0)).started:
        pass
    return row


def quiet_watchdog(board: Board) -> Watchdog:
    """Give a watchdog that only does what it is asked to."""

    def ignore(_: object) -> None:
        """Do nothing."""

    return Watchdog(board, on_killed=ignore, on_lost=ignore, on_retry=ignore)


def race() -> tuple[bool, bool]:
    """End an attempt in the moment in which it ends; tell whether it was hit, and it alone."""
    board, journal, told = Board(1), Journal(), []
    with child_of(board, journal) as pid:
        row = row_of_a_handler(board)
        # A race has no event to wait for: whatever told of the handler's end would decide it. That
        # each side wins some of a thousand is asserted.
        time.sleep(DICE.random() * SHORT)
        hit = quiet_watchdog(board).end_attempt(
            f"t{row.fence}:0", row.fence, lambda: told.append(row.fence)
        )
        if not hit:
            return hit, not told and not has_ended(pid)
        os.waitpid(pid, 0)
        return hit, told == [row.fence] and journal.last == row.fence - 1


def test_only_the_attempt_that_was_meant_is_ended() -> None:
    """A child that has gone on to its next attempt is left alone."""
    rounds = [race() for _ in range(20)]

    assert all(is_right for _, is_right in rounds)


@pytest.mark.slow
def test_a_thousand_races_hit_no_wrong_attempt() -> None:
    """Some kills come in time and some too late; none hits another attempt."""
    rounds = [race() for _ in range(1000)]

    assert all(is_right for _, is_right in rounds)
    assert {hit for hit, _ in rounds} == {True, False}


def test_a_child_that_dies_at_any_moment_keeps_nobody_out() -> None:
    """The lock of a row goes with the process that held it."""
    board = Board(1)
    with child_of(board, Journal()):
        row_of_a_handler(board)

    board.seat(0).take("t1:0", 7)

    assert board.row(0).fence == 7
