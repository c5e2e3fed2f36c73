"""The pulse of an async worker: what its helper can see of it when the interpreter is held.

A piece of memory that the worker shares with the helper that renews its lease. While a handler is
in foreign code that does not let go of the interpreter, no thread of the worker runs and none can
tell anything; what was written before is still there to be read.
"""

from __future__ import annotations

import mmap
import struct
from typing import Final

_REAL: Final = struct.Struct("=d")
_BEAT, _HANDLER, _LAST = 0, 8, 16


class Pulse:
    """Three numbers: times of this machine's monotonic clock, in seconds; 0 for none."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 3 * _REAL.size)

    def beat(self, now: float, last: float) -> None:
        """Say that threads run, and when the last limit passes of all calls that run."""
        _REAL.pack_into(self._memory, _LAST, last)
        _REAL.pack_into(self._memory, _BEAT, now)

    def enter(self, limit_at: float) -> None:
        """Say that a handler has the event loop now, and when its limit passes."""
        _REAL.pack_into(self._memory, _HANDLER, limit_at)

    def leave(self) -> None:
        """Say that no handler has the event loop."""
        _REAL.pack_into(self._memory, _HANDLER, 0.0)

    @property
    def beaten_at(self) -> float:
        """When threads were last seen to run; 0 before the first time."""
        return self._read(_BEAT)

    @property
    def limit_at(self) -> float:
        """When the limit passes of the handler that has the event loop.

        When none has it, whoever holds the interpreter belongs to one of the calls that run: it is
        the time when the limits of all of them have passed; 0 when none runs.
        """
        return self._read(_HANDLER) or self._read(_LAST)

    def _read(self, at: int) -> float:
        return float(_REAL.unpack_from(self._memory, at)[0])
