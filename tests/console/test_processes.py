"""Child processes that are kept up, with small Python programs in the workers' place."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest

from tests.console.ear import PATIENCE, Ear
from toolferry_console.errors import WorkersFailed
from toolferry_console.processes import KeptProcess, Program
from toolferry_console.workers import Workers, kept_workers

#: Says that it is there, then waits for SIGTERM and says good-bye.
POLITE = """
import signal, sys
signal.signal(signal.SIGTERM, lambda *_: (print("bye", flush=True), sys.exit(0)))
print("here", flush=True)
signal.pause()
"""
#: Says that it is there and never stops by itself.
DEAF = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("here", flush=True)
while True:
    signal.pause()
"""
#: Says why and ends.
BROKEN = "print('no such module: tools'); raise SystemExit(3)"


def a_program(code: str) -> Program:
    """Make a program of Python code."""
    return Program(name="async", command=[sys.executable, "-c", code], environment=os.environ)


@pytest.fixture
def ear() -> Ear:
    """Listen."""
    return Ear()


@pytest.fixture
def kept() -> Iterator[list[KeptProcess]]:
    """Stop what a test started."""
    processes: list[KeptProcess] = []
    yield processes
    for process in processes:
        process.ask_to_stop()
        process.wait_stopped(grace=0.0)


def test_its_lines_are_handed_on(ear: Ear, kept: list[KeptProcess]) -> None:
    """What it prints is heard, and its last words are remembered."""
    process = KeptProcess(a_program(POLITE), ear)
    kept.append(process)

    process.start()

    assert ear.wait_for("here") == "here"
    assert process.last_words == "here"


def test_a_process_that_dies_is_started_again(ear: Ear, kept: list[KeptProcess]) -> None:
    """A killed worker is replaced by another one."""
    process = KeptProcess(a_program(POLITE), ear)
    kept.append(process)
    process.start()
    ear.wait_for("here")
    first = process.pid
    assert first is not None

    os.kill(first, signal.SIGKILL)

    assert ear.wait_for("ended with") == "ended with SIGKILL; starts again in 0.5 s"
    ear.wait_for("here")
    assert process.pid not in {None, first}


def test_the_wait_before_a_restart_doubles(ear: Ear, kept: list[KeptProcess]) -> None:
    """A program that cannot run is not started in a hot loop."""
    process = KeptProcess(a_program(BROKEN), ear)
    kept.append(process)

    process.start()

    assert ear.wait_for("ended with") == "ended with exit code 3; starts again in 0.5 s"
    assert ear.wait_for("ended with") == "ended with exit code 3; starts again in 1 s"


def test_it_is_asked_to_stop_and_may_finish(ear: Ear, kept: list[KeptProcess]) -> None:
    """SIGTERM comes first, and what it says on its way out is heard."""
    process = KeptProcess(a_program(POLITE), ear)
    kept.append(process)
    process.start()
    ear.wait_for("here")

    process.ask_to_stop()
    process.wait_stopped(grace=PATIENCE)

    assert ear.wait_for("bye") == "bye"
    assert process.pid is None


def test_it_is_killed_when_its_grace_ends(ear: Ear, kept: list[KeptProcess]) -> None:
    """A program that does not listen does not keep us here."""
    process = KeptProcess(a_program(DEAF), ear)
    kept.append(process)
    process.start()
    ear.wait_for("here")

    process.ask_to_stop()
    process.wait_stopped(grace=0.1)

    assert process.pid is None


def test_lines_come_with_the_name_of_their_worker(ear: Ear) -> None:
    """With several workers one sees which one speaks."""
    with kept_workers([a_program(POLITE)], ear, grace=PATIENCE):
        assert ear.wait_for("here") == "async: here"

    ear.wait_for("async: bye")


def test_a_worker_that_does_not_stay_up_is_told_with_its_last_words(ear: Ear) -> None:
    """The person learns what the worker said, not that it timed out."""
    workers = Workers([a_program(BROKEN)], ear)
    workers.start()
    for _ in range(3):
        ear.wait_for("ended with")

    with pytest.raises(WorkersFailed) as caught:
        workers.check()

    workers.stop(grace=PATIENCE)
    assert str(caught.value) == "the async worker does not stay up: no such module: tools"
