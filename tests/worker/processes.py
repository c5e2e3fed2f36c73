"""Looking at processes that are not the tests' own."""

from __future__ import annotations

from pathlib import Path


def is_alive(pid: int) -> bool:
    """Tell whether a process runs; a dead one that nobody has reaped does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
