"""The board and its watchdog, with real processes in the children's place."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from toolferry_worker.board import Board, Row
from toolferry_worker.watchdog import Watchdog, has_ended, kill_group

#: Tells when it gets the soft signal, and goes on.
DEAF = """
import os, signal, sys
signal.signal(signal.SIGUSR1, lambda *_: print("asked", flush=True))
print("here", flush=True)
while True:
    signal.pause()
"""


@dataclass
class Ears:
    """What a watchdog has told, attempts by their fence."""

    killed: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    retries: list[float] = field(default_factory=list)


@pytest.fixture
def child() -> Iterator[subprocess.Popen[str]]:
    """Run a process that leads its own group and ignores the soft signal."""
    process = subprocess.Popen(
        [sys.executable, "-c", DEAF], stdout=subprocess.PIPE, text=True, process_group=0
    )
    assert process.stdout
    assert process.stdout.readline() == "here\n"
    yield process
    kill_group(process.pid)
    process.wait()
    process.stdout.close()


def watchdog_over(board: Board) -> tuple[Watchdog, Ears]:
    """Give a watchdog that was not started, and what hears it."""
    ears = Ears()
    dog = Watchdog(
        board,
        on_killed=lambda row: ears.killed.append(row.fence),
        on_lost=lambda row: ears.lost.append(row.fence),
        on_retry=ears.retries.append,
    )
    return dog, ears


def calling(pid: int, limit: float) -> tuple[Board, Row]:
    """Give a board with one child that has just called its handler."""
    board = Board(2)
    seat = board.seat(1)
    seat.enter(pid)
    seat.take("t1:0", 42)
    seat.call(limit)
    return board, board.row(1)


def test_a_row_says_what_its_child_does() -> None:
    """From the claim to the written end."""
    board, row = calling(1234, 5.0)
    seat = board.seat(1)

    seat.called()
    seat.expect_retry(99.0)
    between = board.row(1)
    seat.leave()

    assert (row.pid, row.fence, row.limit, row.started > 0) == (1234, 42, 5.0, True)
    assert (between.started, between.fence, between.retry_due) == (0.0, 42, 99.0)
    assert [other.fence for other in board.rows()] == [0]


def test_children_that_never_came_have_no_row() -> None:
    """An empty place tells nothing."""
    assert Board(3).rows() == []


def test_a_handler_in_time_is_left_alone(child: subprocess.Popen[str]) -> None:
    """Nothing happens before the limit."""
    board, row = calling(child.pid, 5.0)
    dog, ears = watchdog_over(board)

    dog.look(row, row.started + 4.9)

    assert (child.poll(), ears) == (None, Ears())


def test_a_handler_at_its_limit_is_asked_to_stop_once(child: subprocess.Popen[str]) -> None:
    """The soft signal comes, and comes once."""
    board, row = calling(child.pid, 5.0)
    dog, ears = watchdog_over(board)

    dog.look(row, row.started + 5.0)
    dog.look(row, row.started + 5.1)

    assert child.stdout
    assert child.stdout.readline() == "asked\n"
    assert (child.poll(), ears) == (None, Ears())


def test_a_handler_that_goes_on_is_killed(child: subprocess.Popen[str]) -> None:
    """Half a second after its limit, and whoever has to write it is told."""
    board, row = calling(child.pid, 5.0)
    dog, ears = watchdog_over(board)

    dog.look(row, row.started + 5.5)

    assert child.wait(10) == -signal.SIGKILL
    assert (ears, board.row(1).fence) == (Ears(killed=[42]), 0)


def test_a_handler_that_ended_in_the_last_moment_is_not_killed(
    child: subprocess.Popen[str],
) -> None:
    """The child may be at its next attempt by now."""
    board, row = calling(child.pid, 5.0)
    dog, ears = watchdog_over(board)
    board.seat(1).take("t2:0", 43)

    dog.look(row, row.started + 5.5)

    assert (child.poll(), ears) == (None, Ears())


def test_a_child_that_died_over_an_attempt_is_noticed(child: subprocess.Popen[str]) -> None:
    """Once."""
    board, row = calling(child.pid, 5.0)
    dog, ears = watchdog_over(board)
    kill_group(child.pid)
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

    dog.look(row, row.started)
    dog.look(board.row(1), row.started)

    assert ears == Ears(lost=[42])


def test_a_retry_that_a_child_scheduled_is_passed_on_once() -> None:
    """The reaper looks for it when it is due, or at once when it was due before the look."""
    board = Board(1)
    seat = board.seat(0)
    seat.enter(os.getpid())
    dog, ears = watchdog_over(board)
    dog.look(board.row(0), 99.0)

    for due in (103.0, 99.9):
        seat.expect_retry(due)
        dog.look(board.row(0), 100.0)
        dog.look(board.row(0), 101.0)

    assert ears == Ears(retries=[3.0, 0.0])


def test_killing_what_has_gone_is_harmless(child: subprocess.Popen[str]) -> None:
    """It may have ended by itself."""
    child.kill()
    child.wait()

    kill_group(child.pid)

    assert has_ended(child.pid)
