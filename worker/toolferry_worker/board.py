"""The board: what each child of a process worker does, for its parent to see at any moment.

A piece of memory that parent and children share, with one row for each child. The parent's watchdog
reads it to enforce limits; it needs no message from the child, none to it, and no event loop.

Each number is eight aligned bytes, written by its child alone. `started` is written last when a
handler begins and cleared first when it ends, so whoever sees it set reads numbers that belong
together.
"""

from __future__ import annotations

import mmap
import struct
import time
from dataclasses import dataclass
from typing import Final

_ROW: Final = struct.Struct("=qqddd")
_WHOLE: Final = struct.Struct("=q")
_REAL: Final = struct.Struct("=d")
_FENCE, _STARTED, _LIMIT, _RETRY = 8, 16, 24, 32


@dataclass(frozen=True, slots=True)
class Row:
    """One child at one moment. Times are this machine's monotonic clock, in seconds."""

    index: int
    #: The child's process id, and its process group's.
    pid: int
    #: The fence of the attempt that it works on; 0 when it works on none.
    fence: int
    #: When its handler was called; 0 when none runs.
    started: float
    #: Seconds that the handler may take.
    limit: float
    #: When the retry that it scheduled last is due; 0 when there was none.
    retry_due: float


class Board:
    """The rows of all children, as their parent reads them.

    Args:
        size: How many children there can be.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._memory = mmap.mmap(-1, size * _ROW.size)

    def rows(self) -> list[Row]:
        """Read the rows of all children that have come so far."""
        rows = (self.row(index) for index in range(self._size))
        return [row for row in rows if row.pid]

    def row(self, index: int) -> Row:
        """Read one row."""
        return Row(index, *_ROW.unpack_from(self._memory, index * _ROW.size))

    def seat(self, index: int) -> Seat:
        """Give a child its row to write."""
        return Seat(self._memory, index * _ROW.size)


class Seat:
    """A child's own row, as the child writes it."""

    def __init__(self, memory: mmap.mmap, at: int) -> None:
        self._memory = memory
        self._at = at

    def enter(self, pid: int) -> None:
        """Say that this child is here and works on nothing yet."""
        _ROW.pack_into(self._memory, self._at, pid, 0, 0.0, 0.0, 0.0)

    def take(self, fence: int) -> None:
        """Say that it works on an attempt: that it claims, calls or writes."""
        _WHOLE.pack_into(self._memory, self._at + _FENCE, fence)

    def call(self, limit: float) -> None:
        """Say that the handler is called now, and how many seconds it may take."""
        _REAL.pack_into(self._memory, self._at + _LIMIT, limit)
        _REAL.pack_into(self._memory, self._at + _STARTED, time.monotonic())

    def called(self) -> None:
        """Say that the handler has ended."""
        _REAL.pack_into(self._memory, self._at + _STARTED, 0.0)

    def leave(self) -> None:
        """Say that it works on nothing any more."""
        _WHOLE.pack_into(self._memory, self._at + _FENCE, 0)

    def expect_retry(self, due: float) -> None:
        """Say when a retry that it has just scheduled is due."""
        _REAL.pack_into(self._memory, self._at + _RETRY, due)
