"""The board: what each child of a process worker does, for its parent to see at any moment.

A piece of memory that parent and children share, with one row for each child. The parent's watchdog
reads it to enforce limits; it needs no message from the child, none to it, and no event loop.

Each number is eight aligned bytes. `started` is written last when a handler begins and cleared
first when it ends, so whoever sees it set reads numbers that belong together.

A child takes up an attempt, and leaves its handler, only under the lock of its row; who wants to
end an attempt by force holds that lock meanwhile, so that it never hits another one. It is a lock
of the system's (`fcntl`) on a file without a name: it goes with the process that held it, so that
a child which is killed at any moment keeps nobody out.
"""

from __future__ import annotations

import fcntl
import mmap
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

_ROW: Final = struct.Struct("=qqqddd")
_WHOLE: Final = struct.Struct("=q")
_REAL: Final = struct.Struct("=d")
#: A child holds its row for microseconds; so often, and seconds apart, its parent tries to.
_TRIES, _PAUSE = 20, 0.0005
_CALL, _FENCE, _STARTED, _LIMIT, _RETRY = 8, 16, 24, 32, 40


@dataclass(frozen=True, slots=True)
class Row:
    """One child at one moment. Times are this machine's monotonic clock, in seconds."""

    index: int
    #: The child's process id, and its process group's.
    pid: int
    #: The number of the call (`call_number`) that it works on, or did last.
    call: int
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
        self._file = _nameless_file()
        self._parent = threading.Lock()

    def rows(self) -> list[Row]:
        """Read the rows of all children that have come so far."""
        rows = (self.row(index) for index in range(self._size))
        return [row for row in rows if row.pid]

    def row(self, index: int) -> Row:
        """Read one row."""
        return Row(index, *_ROW.unpack_from(self._memory, index * _ROW.size))

    def seat(self, index: int) -> Seat:
        """Give a child its row to write."""
        return Seat(self._memory, self._file, index)

    @contextmanager
    def held(self, row: Row) -> Iterator[bool]:
        """Keep a child from beginning and leaving a handler; only its parent may, in any thread.

        Never waits for long: a child that does so at this moment is not as `row` says any more, and
        may have been stopped (SIGSTOP) in the middle of it.

        Yields:
            Whether the child still is as `row` says.
        """
        with self._parent:
            is_held = _try_lock(self._file, row.index)
            try:
                yield is_held and self.row(row.index) == row
            finally:
                if is_held:
                    fcntl.lockf(self._file, fcntl.LOCK_UN, 1, row.index)

    def clear(self, row: Row) -> None:
        """Say in a child's place that it works on nothing any more; for who holds its row."""
        at = row.index * _ROW.size
        _REAL.pack_into(self._memory, at + _STARTED, 0.0)
        _WHOLE.pack_into(self._memory, at + _FENCE, 0)


class Seat:
    """A child's own row, as the child writes it."""

    def __init__(self, memory: mmap.mmap, file: int, index: int) -> None:
        self._memory = memory
        self._file = file
        self._index = index
        self._at = index * _ROW.size

    def enter(self, pid: int) -> None:
        """Say that this child is here and works on nothing yet."""
        with _locked(self._file, self._index):
            _ROW.pack_into(self._memory, self._at, pid, 0, 0, 0.0, 0.0, 0.0)

    def take(self, call_key: str, fence: int) -> None:
        """Say that it works on an attempt: that it claims, calls or writes."""
        with _locked(self._file, self._index):
            _WHOLE.pack_into(self._memory, self._at + _CALL, call_number(call_key))
            _WHOLE.pack_into(self._memory, self._at + _FENCE, fence)

    def call(self, limit: float) -> None:
        """Say that the handler is called now, and how many seconds it may take."""
        _REAL.pack_into(self._memory, self._at + _LIMIT, limit)
        _REAL.pack_into(self._memory, self._at + _STARTED, time.monotonic())

    def called(self) -> None:
        """Say that the handler has ended."""
        with _locked(self._file, self._index):
            _REAL.pack_into(self._memory, self._at + _STARTED, 0.0)

    def leave(self) -> None:
        """Say that it works on nothing any more."""
        _WHOLE.pack_into(self._memory, self._at + _FENCE, 0)

    def expect_retry(self, due: float) -> None:
        """Say when a retry that it has just scheduled is due, or a rate has room."""
        _REAL.pack_into(self._memory, self._at + _RETRY, due)


def call_number(call_key: str) -> int:
    """Give the number that stands for a call on the board; fences recur from route to route."""
    digest = blake2b(call_key.encode(), digest_size=_WHOLE.size).digest()
    return int.from_bytes(digest, signed=True)


def _nameless_file() -> int:
    """Open a file that only this process and its children have, for as long as they live."""
    descriptor, name = tempfile.mkstemp()
    Path(name).unlink()
    return descriptor


@contextmanager
def _locked(file: int, index: int) -> Iterator[None]:
    fcntl.lockf(file, fcntl.LOCK_EX, 1, index)
    try:
        yield
    finally:
        fcntl.lockf(file, fcntl.LOCK_UN, 1, index)


def _try_lock(file: int, index: int) -> bool:
    for _ in range(_TRIES):
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, index)
        except BlockingIOError:
            time.sleep(_PAUSE)
        else:
            return True
    return False
