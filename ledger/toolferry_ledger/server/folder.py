"""The embedded server's folder: its data, passwords, locks and log. Nobody else can read it."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from toolferry import ConfigurationError

#: Bytes of a socket's path at the most: macOS refuses 104, Linux 108.
MAX_SOCKET_PATH: Final = 100
_PRIVATE: Final = 0o700


@dataclass(frozen=True, slots=True)
class ServerFolder:
    """Where everything of one embedded server lies; only the socket lies elsewhere."""

    data: Path

    @classmethod
    def prepare(cls, home: Path) -> ServerFolder:
        """Make the folder `server` in `home`, private to this user. Safe to call at any time.

        Raises:
            OSError: It cannot be made, or it is another user's.
        """
        home.mkdir(parents=True, exist_ok=True)
        folder = cls(_private(home / "server"))
        # The home usually lies in a project: data and secrets are not to be committed with it.
        if not folder.read(".gitignore"):
            folder.write(".gitignore", "*\n")
        return folder

    def file(self, name: str) -> Path:
        """Give the path of one file in the folder."""
        return self.data / name

    def read(self, name: str) -> str:
        """Give the text of a file; empty when there is none."""
        path = self.file(name)
        return os.fsdecode(path.read_bytes()) if path.exists() else ""

    def write(self, name: str, text: str) -> None:
        """Write a file that only this user can read, whole or not at all."""
        fresh = self.file(f"{name}.{secrets.token_hex(4)}")
        fresh.touch(0o600)
        fresh.write_bytes(os.fsencode(text))
        fresh.replace(self.file(name))

    def secret_text(self, name: str) -> str:
        """Give the random text in a file of this name, made when first asked for.

        The caller holds the folder's gate, so that two processes never make two.
        """
        if not self.read(name):
            self.write(name, secrets.token_hex(32))
        return self.read(name)

    def process_id(self) -> int | None:
        """Give the process id that the server wrote down; for people and last resorts only."""
        text = self.read("server.pid").strip()
        return int(text) if text.isdigit() else None

    def socket(self, password: str) -> Path:
        """Give the path of the socket of a server that this process would start.

        It is the same after a restart and a rename, and another one for a copy of the folder.
        """
        place = self.data.stat()
        identity = f"{password}:{place.st_dev}:{place.st_ino}"
        name = f"tf-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"
        # Not below the folder itself: its path may be too long for a socket. Not in the user's
        # run folder: that one vanishes when the user logs out, while the server runs on.
        path = Path(tempfile.gettempdir()) / name / "s"
        return path if len(bytes(path)) <= MAX_SOCKET_PATH else Path("/tmp", name, "s")  # noqa: S108 -- private below, checked by make_runtime


@contextmanager
def folder_errors(home: Path) -> Iterator[None]:
    """Say of a folder that cannot be used which one it is and why.

    Raises:
        ConfigurationError: In place of any error of the file system.
    """
    try:
        yield
    except OSError as error:
        reason = f"{error.filename or home} cannot be used: {error.strerror}"
        raise ConfigurationError("TOOLFERRY_HOME", reason) from error


def make_runtime(socket: Path) -> None:
    """Make the short folder of a socket, or check that nobody else made it.

    Raises:
        OSError: It is another user's or no folder.
    """
    _private(socket.parent)


def remove_runtime(socket: Path) -> None:
    """Remove the short folder of a socket whose server is gone."""
    with suppress(OSError):  # Cleaned away already, or something else lies there.
        socket.unlink(missing_ok=True)
        socket.parent.rmdir()


def _private(folder: Path) -> Path:
    folder.mkdir(mode=_PRIVATE, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise PermissionError(0, "it is not a folder of this user", str(folder))
    if stat.S_IMODE(found.st_mode) != _PRIVATE:
        folder.chmod(_PRIVATE)
    return folder
