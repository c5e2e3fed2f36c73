"""Locks between processes that end with their holder, however it dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class FileLock:
    """An advisory lock on a file of its own.

    The system releases it when every process that inherited it is gone, so no lock is ever stale.
    Two objects on one file exclude each other, also within one process.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    @property
    def descriptor(self) -> int:
        """The open file; a child that inherits it holds the lock as well."""
        return self._descriptor

    def take(self) -> None:
        """Wait until nobody else holds the lock, then hold it alone."""
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def try_take(self) -> bool:
        """Hold the lock alone if nobody else holds it; say whether it worked.

        What was held before, alone or shared, may be lost when it did not.
        """
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def share(self) -> None:
        """Wait until nobody holds the lock alone, then hold it together with others."""
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)

    def release(self) -> None:
        """Let go of the lock, for all processes that inherited this object too."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock alone for the length of a block."""
        self.take()
        try:
            yield
        finally:
            self.release()

    def is_free(self) -> bool:
        """Say whether nobody holds the lock. Only for an object that does not hold it itself."""
        free = self.try_take()
        if free:
            self.release()
        return free

    def guards(self, path: Path) -> bool:
        """Say whether this path still leads to the locked file, and not to none or another."""
        try:
            return os.path.samestat(os.fstat(self._descriptor), path.stat())
        except FileNotFoundError:
            return False

    def close(self) -> None:
        """Close this process's handle; a lock that a child inherited stays with the child."""
        os.close(self._descriptor)
