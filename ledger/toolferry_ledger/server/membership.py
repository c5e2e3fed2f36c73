"""Who uses the embedded server: it is started by the first user and stopped by the last.

Three locks in the folder say all, and the system releases each with the process that held it:

* `gate.lock` is held alone by whoever starts or stops the server, for that moment.
* `users.lock` is shared by every process that uses the server, as long as it does.
* `alive.lock` is held alone by the server itself.

1. A user passes the gate, shares `users`, and starts the server unless `alive` is held. A server
   that outlived its users is adopted like that; one that was killed is started on its data.
2. A user that leaves passes the gate and tries to hold `users` alone. If that works it was the
   last, and stops the server before it lets others through the gate.
3. A user that arrives meanwhile waits at the gate, finds the server gone, and starts it again.
"""

from __future__ import annotations

import atexit
import os
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from toolferry import LedgerUnavailable
from toolferry_ledger.server.answers import becomes_ready
from toolferry_ledger.server.binary import find_binary
from toolferry_ledger.server.folder import (
    ServerFolder,
    folder_errors,
    make_runtime,
    remove_runtime,
)
from toolferry_ledger.server.locks import FileLock
from toolferry_ledger.server.process import refusal_to_start, start, stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """How to reach an embedded server, and the secret that its users share."""

    url: str = field(repr=False)
    secret: str = field(repr=False)


class Membership:
    """One process's use of the embedded server of one home.

    Args:
        home: The folder that holds, or shall hold, the server's folder.
        binary: The program to start when no server is alive; found when not given.
    """

    def __init__(self, home: Path, binary: Path | None = None) -> None:
        self._home = home
        self._binary = binary
        with folder_errors(home):
            self._folder = ServerFolder.prepare(home)
            # Open for good: a user can leave properly even after its folder was deleted.
            self._gate = FileLock(self._folder.file("gate.lock"))
            self._users = FileLock(self._folder.file("users.lock"))
            self._alive = FileLock(self._folder.file("alive.lock"))
        self._owner = os.getpid()
        self._server: tuple[Path, str] | None = None

    @property
    def is_outdated(self) -> bool:
        """Whether it is a parent process's, or its folder was deleted: then make another."""
        return self._owner != os.getpid() or not self._gate.guards(self._folder.file("gate.lock"))

    def join(self) -> Served:
        """Become a user of the server and make sure that it runs. May be called again.

        Raises:
            ConfigurationError: No server is installed, or the folder cannot be used.
            LedgerUnavailable: The server does not start or does not answer.
        """
        with folder_errors(self._home), self._gate.held():
            self._users.share()
            try:
                socket, password = self._server = self._running()
            except BaseException:
                self._users.release()
                raise
            secret = self._folder.secret_text("secret")
        login = f":{quote(password, safe='')}@"
        return Served(url=f"unix://{login}{quote(str(socket))}?db=0", secret=secret)

    def leave(self) -> None:
        """Stop using the server; the last user stops it. May be called again."""
        if self._owner != os.getpid() or self._server is None:
            return
        server, self._server = self._server, None
        with self._gate.held():
            if self._users.try_take() and not self._alive.is_free():
                stop(self._folder, self._alive, *server)
            self._users.release()

    def _running(self) -> tuple[Path, str]:
        password = self._folder.secret_text("password")
        return self._adopted(password) or self._started(password), password

    def _adopted(self, password: str) -> Path | None:
        # The starter's word: it may have had another temporary folder than this process.
        socket = Path(self._folder.read("socket"))
        if self._alive.is_free():
            return None
        return socket if self._is_ready(socket, password) else None

    def _started(self, password: str) -> Path:
        binary = self._binary or find_binary()
        socket = self._folder.socket(password)
        make_runtime(socket)
        # Before the start, so that a server whose starter dies can be found.
        self._folder.write("socket", str(socket))
        try:
            start(binary, self._folder, socket, password)
            if not self._is_ready(socket, password):
                raise refusal_to_start(self._folder, socket)
        except LedgerUnavailable:
            if self._alive.is_free():
                remove_runtime(socket)
            raise
        return socket

    def _is_ready(self, socket: Path, password: str) -> bool:
        return becomes_ready(self._folder, self._alive, socket, password)


_memberships: dict[Path, Membership] = {}
_guard = threading.Lock()


def join(home: Path) -> Served:
    """Make this process a user of the embedded server of `home`, until it ends.

    Raises:
        ConfigurationError: No server is installed, or the folder cannot be used.
        LedgerUnavailable: The server does not start or does not answer.
    """
    with _guard:
        member = _memberships.get(home)
        if member is not None and member.is_outdated:
            member.leave()
            member = None
        if member is None:
            member = _memberships[home] = Membership(home)
            atexit.register(member.leave)
        return member.join()
