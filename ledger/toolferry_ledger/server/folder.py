"""The embedded server's folder: its data, passwords, locks and log. Nobody else can read it."""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
import tempfile
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
            ConfigurationError: It cannot be made, or it is another user's.
        """
        try:
            home.mkdir(parents=True, exist_ok=True)
            # The home usually lies in a project: its data and secrets are not to be committed.
            (home / ".gitignore").write_text("*\n")
            return cls(_private(home / "server"))
        except OSError as error:
            reason = f"{home} cannot be used: {error.strerror}"
            raise ConfigurationError("TOOLFERRY_HOME", reason) from error

    def file(self, name: str) -> Path:
        """Give the path of one file in the folder."""
        return self.data / name

    def secret_text(self, name: str) -> str:
        """Give the random text in a file of this name, made when first asked for.

        The caller holds the folder's gate, so that two processes never make two.
        """
        path = self.file(name)
        text = path.read_text() if path.exists() else ""
        if not text:
            text = secrets.token_hex(32)
            write_private(path, text)
        return text

    def process_id(self) -> int | None:
        """Give the process id that the server wrote down; for people and last resorts only."""
        try:
            return int(self.file("server.pid").read_text())
        except (OSError, ValueError):
            return None

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
        return path if len(bytes(path)) <= MAX_SOCKET_PATH else Path("/tmp", name, "s")  # noqa: S108 -- private below, checked by private_runtime


def private_runtime(socket: Path) -> None:
    """Make the short folder of a socket, or check that nobody else made it.

    Raises:
        ConfigurationError: It is another user's or no folder.
    """
    try:
        _private(socket.parent)
    except OSError as error:
        reason = f"the folder {socket.parent} for its socket cannot be used: {error.strerror}"
        raise ConfigurationError("TOOLFERRY_HOME", reason) from error


def write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read, whole or not at all."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(descriptor)
    fresh.replace(path)


def _private(folder: Path) -> Path:
    folder.mkdir(mode=_PRIVATE, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise PermissionError(0, "it is not a folder of this user")
    if stat.S_IMODE(found.st_mode) != _PRIVATE:
        folder.chmod(_PRIVATE)
    return folder
