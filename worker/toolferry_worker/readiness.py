"""The readiness of children: which of them have their resources up, for their parent to see.

A piece of memory that the parent of a process worker shares with its children: a row for each
child, written by the child alone, and one number for all of them, written by the parent: whether
they may begin to open, and whether they have to close. It needs no message and no event loop.

Each number is eight aligned bytes. `since` is written last when something begins and cleared first
when it ends, so whoever sees it set reads numbers that belong together.
"""

from __future__ import annotations

import mmap
import struct
import time
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from toolferry_worker.watchdog import has_ended

_ROW: Final = struct.Struct("=qqqqd")
_HEAD: Final = struct.Struct("=qq")
_WHOLE: Final = struct.Struct("=q")
_REAL: Final = struct.Struct("=d")
_PHASE, _LIFESPAN, _TRIES, _SINCE = 8, 16, 24, 32


class Order(IntEnum):
    """What the parent wants of all children."""

    #: Nothing yet: Celery would take the death of a child for a reason to give up.
    WAIT = 0
    OPEN = 1
    CLOSE = 2


class Phase(IntEnum):
    """Where a child is."""

    NOWHERE = 0
    OPENING = 1
    READY = 2
    CLOSING = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One child at one moment. Times are this machine's monotonic clock, in seconds."""

    index: int
    pid: int
    phase: Phase
    #: Which of the lane's lifespans it opens or closes, from 0 in the order of their start.
    lifespan: int
    #: How often that one was tried in a row, also by children before this one.
    tries: int
    #: When it began to open or close that one; 0 while it does neither.
    since: float


class Readiness:
    """The rows of all children, as their parent reads them.

    Args:
        size: How many children there can be.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._memory = mmap.mmap(-1, _WHOLE.size + size * _ROW.size)

    def order(self, order: Order) -> None:
        """Tell all children what to do; those that are at work hear it when they are done."""
        _WHOLE.pack_into(self._memory, 0, order)

    @property
    def wanted(self) -> Order:
        """What the parent wants."""
        return Order(_WHOLE.unpack_from(self._memory, 0)[0])

    def ready(self) -> int:
        """Count the children that can take a call; one that has just died cannot."""
        return sum(map(self._is_ready, range(self._size)))

    def rows(self) -> list[Row]:
        """Read the rows of all children that have come so far."""
        rows = (self.row(index) for index in range(self._size))
        return [row for row in rows if row.phase is not Phase.NOWHERE]

    def _is_ready(self, index: int) -> bool:
        pid, phase = _HEAD.unpack_from(self._memory, _at(index))
        return phase == Phase.READY and not has_ended(pid)

    def row(self, index: int) -> Row:
        """Read one row."""
        pid, phase, *others = _ROW.unpack_from(self._memory, _at(index))
        return Row(index, pid, Phase(phase), *others)

    def forget(self, row: Row) -> None:
        """Take a child for gone, unless another one has its row by now."""
        if self.row(row.index) == row:
            _WHOLE.pack_into(self._memory, _at(row.index) + _PHASE, Phase.NOWHERE)

    def place(self, index: int) -> Place:
        """Give a child its row to write."""
        return Place(self._memory, _at(index))


class Place:
    """A child's own row, as the child writes it."""

    def __init__(self, memory: mmap.mmap, at: int) -> None:
        self._memory = memory
        self._at = at

    def enter(self, pid: int) -> None:
        """Say that this child is here and not ready."""
        self.idle()
        _WHOLE.pack_into(self._memory, self._at, pid)
        _WHOLE.pack_into(self._memory, self._at + _PHASE, Phase.OPENING)

    def open(self, lifespan: int, tries: int) -> None:
        """Say that it opens a lifespan now, and how often that was tried, this time included."""
        self._begin(Phase.OPENING, lifespan)
        _WHOLE.pack_into(self._memory, self._at + _TRIES, tries)
        _REAL.pack_into(self._memory, self._at + _SINCE, time.monotonic())

    def close(self, lifespan: int) -> None:
        """Say that it closes a lifespan now."""
        self._begin(Phase.CLOSING, lifespan)
        _REAL.pack_into(self._memory, self._at + _SINCE, time.monotonic())

    def idle(self) -> None:
        """Say that it neither opens nor closes anything at this moment."""
        _REAL.pack_into(self._memory, self._at + _SINCE, 0.0)

    def ready(self) -> None:
        """Say that it can take calls."""
        _WHOLE.pack_into(self._memory, self._at + _TRIES, 0)
        _WHOLE.pack_into(self._memory, self._at + _PHASE, Phase.READY)

    def _begin(self, phase: Phase, lifespan: int) -> None:
        self.idle()
        _WHOLE.pack_into(self._memory, self._at + _PHASE, phase)
        _WHOLE.pack_into(self._memory, self._at + _LIFESPAN, lifespan)


def _at(index: int) -> int:
    return _WHOLE.size + index * _ROW.size
