"""The reaper's thread: it looks when it is asked to, and when a retry is due."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

from toolferry import LedgerUnavailable
from toolferry_ledger import Reaper
from toolferry_worker.reaping import ReaperThread


class Rounds(Reaper):
    """A reaper that only tells that it was asked."""

    def __init__(self, wait: float, failures: int = 0) -> None:
        self.done: queue.Queue[str] = queue.Queue()
        self._wait = wait
        self._failures = failures

    def tick(self) -> float:
        """Do a round."""
        if self._failures:
            self._failures -= 1
            raise LedgerUnavailable("unix://", "it is away")
        self.done.put("round")
        return self._wait


@pytest.fixture
def patient() -> Iterator[tuple[Rounds, ReaperThread]]:
    """Run a reaper that wants no other round for an hour."""
    rounds = Rounds(3600)
    thread = ReaperThread(rounds)
    thread.start()
    rounds.done.get(timeout=30)
    yield rounds, thread
    thread.stop()


def test_a_retry_is_looked_for_when_it_is_due(patient: tuple[Rounds, ReaperThread]) -> None:
    """Not when the next round would have been."""
    rounds, thread = patient

    thread.expect(0.01)

    assert rounds.done.get(timeout=30) == "round"


def test_the_earliest_retry_is_looked_for_first(patient: tuple[Rounds, ReaperThread]) -> None:
    """A later one does not hold it up."""
    rounds, thread = patient

    thread.expect(3000)
    thread.expect(0.01)

    assert rounds.done.get(timeout=30) == "round"


def test_rounds_go_on_after_the_server_was_away() -> None:
    """A failure is waited out."""
    rounds = Rounds(0.01, failures=1)
    thread = ReaperThread(rounds)

    thread.start()

    assert rounds.done.get(timeout=30) == "round"
    thread.stop()
