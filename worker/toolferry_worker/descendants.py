"""Descendants: everything that a process has started, for when it is ended by force.

A process group is not enough: what a handler starts may lead a group or a session of its own. So
the process is frozen first, and with it everything that it has started, until nothing new is
found; a frozen process starts nothing. Then all are killed.

A program that has left its starter for good (a daemon, whose own parent has ended) is nobody's
descendant any more; it is killed only if it stayed in the group. Only Linux tells who started whom;
elsewhere the group has to do.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

#: Where in proc_pid_stat(5) the group and the start stand, counted from the state.
_GROUP, _START = 2, 19
#: Seconds of one tick of the system's clock, in which starts are written down.
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


def descendants(pid: int) -> set[int]:
    """Find what a process has started and what that has started, as far as it still runs."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop()) - found
        found |= children
        waiting += children
    return found


def kill_with_descendants(pid: int) -> None:
    """Kill a process, its group if it leads one, and everything that it has started.

    When it has gone already, what it has left in its group goes all the same.
    """
    frozen = _freeze(pid)
    if _leads_group(pid):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    for one in frozen:
        _send(one, signal.SIGKILL)


def kill_started_since(pid: int, since: float) -> None:
    """Kill what a process has started since a time, and what of that is in its group.

    Args:
        pid: The process; it lives on.
        since: Seconds of `CLOCK_BOOTTIME`, which is what the system writes starts down in.
    """
    for one in descendants(pid) | _group(pid):
        if one != pid and _started_at(one) >= since - _TICK:
            kill_with_descendants(one)


def kill_descendants(pid: int, spare: int = 0) -> None:
    """Kill everything that a process has started, but neither itself nor the one to spare."""
    for one in _children(pid) - {spare}:
        kill_with_descendants(one)


def process_state(pid: int) -> str:
    """Give the state of a process, one letter of proc_pid_stat(5); empty when it has gone."""
    return next(iter(_stat(pid)), "")


def _group(leader: int) -> set[int]:
    """Find the members of a process group, also those whose own starter has ended."""
    pids = (int(path.name) for path in Path("/proc").glob("[0-9]*"))
    return {pid for pid in pids if _stat(pid)[_GROUP : _GROUP + 1] == [str(leader)]}


def _started_at(pid: int) -> float:
    found = _stat(pid)
    return int(found[_START]) * _TICK if found else 0.0


def _stat(pid: int) -> list[str]:
    """Read what the system says of a process, from its state on; nothing when it has gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()


def _leads_group(pid: int) -> bool:
    try:
        return os.getpgid(pid) == pid
    except ProcessLookupError:
        return True  # a group outlives its leader, and keeps others from getting its number


def _freeze(pid: int) -> set[int]:
    """Stop a process and its descendants, and give them all."""
    frozen: set[int] = set()
    while new := ({pid} | descendants(pid)) - frozen:
        for one in new:
            _send(one, signal.SIGSTOP)
        frozen |= new
    return frozen


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def _children(pid: int) -> set[int]:
    """Give the children of all threads of a process; none where the system does not tell."""
    found: set[int] = set()
    with suppress(OSError):  # it may go in this very moment
        for thread in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found.update(map(int, (thread / "children").read_text(encoding="ascii").split()))
    return found
