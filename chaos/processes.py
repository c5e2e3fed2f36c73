"""Processes as the system shows them under /proc: the harness runs on Linux only."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

#: Bytes of one page of memory.
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def is_alive(pid: int) -> bool:
    """Tell whether a process runs or is stopped; a dead one that nobody has reaped is not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}


def children_of(pid: int) -> list[int]:
    """Give the processes that a process has started and that still are; none if it has gone."""
    found: list[int] = []
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text(encoding="utf-8").split())
    return found


def family_of(pid: int) -> list[int]:
    """Give a process and all that come from it."""
    return [pid, *(one for child in children_of(pid) for one in family_of(child))]


def resident(pid: int) -> int:
    """Give the bytes of memory that a process holds; 0 when it has gone."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * _PAGE
    return 0


def send(pid: int, number: signal.Signals) -> bool:
    """Send a signal; False when the process has gone."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True
