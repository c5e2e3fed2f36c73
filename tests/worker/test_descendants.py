"""Killing a process with all that it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.waiting import wait_until
from tests.worker.processes import is_alive
from toolferry_worker.descendants import descendants, kill_with_descendants

#: Starts a process in a session of its own, which starts one in its group, and tells both.
STARTER = '''
import signal, subprocess, sys
deeper = """import signal, subprocess
print(subprocess.Popen(["sleep", "600"]).pid, flush=True)
signal.pause()"""
child = subprocess.Popen([sys.executable, "-c", deeper], start_new_session=True)
print(child.pid, flush=True)
signal.pause()
'''


@pytest.fixture
def family() -> Iterator[tuple[subprocess.Popen[str], set[int]]]:
    """Run a process that leads its group; give it, and the numbers of what it has started."""
    process = subprocess.Popen(
        [sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True, process_group=0
    )
    assert process.stdout
    started = {int(process.stdout.readline()) for _ in range(2)}
    yield process, started
    process.kill()
    process.wait()
    process.stdout.close()
    for pid in filter(is_alive, started):
        os.kill(pid, signal.SIGKILL)


def test_all_that_a_process_has_started_is_found(
    family: tuple[subprocess.Popen[str], set[int]],
) -> None:
    """Also what leads a session of its own."""
    process, started = family

    assert descendants(process.pid) == started


def test_nothing_of_it_is_left(family: tuple[subprocess.Popen[str], set[int]]) -> None:
    """Neither the process, nor what it has started, nor what that has started."""
    process, started = family

    kill_with_descendants(process.pid)

    assert process.wait(10) == -signal.SIGKILL
    wait_until(lambda: not any(map(is_alive, started)), "the end of what it started")


def test_what_a_dead_leader_left_in_its_group_goes_too() -> None:
    """Its number stays the group's."""
    code = "import subprocess; print(subprocess.Popen(['sleep', '600'], stdout=-3).pid)"
    leader = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, process_group=0
    )
    left = int(leader.communicate()[0])
    before = is_alive(left)

    kill_with_descendants(leader.pid)

    assert before
    wait_until(lambda: not is_alive(left), "the end of what was left")
