"""The embedded server's process: started apart from its users, asked, and stopped.

It leaves the terminal's session, so that Ctrl-C reaches the users only. It inherits the lock
`alive` and holds it to its last moment: whether a server lives is asked of the system, never of a
process id in a file.
"""

from __future__ import annotations

import os
import signal
import string
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import redis

from toolferry import LedgerUnavailable
from toolferry_ledger.server.answers import client_of
from toolferry_ledger.server.folder import ServerFolder, remove_runtime
from toolferry_ledger.server.locks import FileLock

#: Seconds between two looks whether a server has ended.
_PAUSE: Final = 0.002
#: Seconds that a server may need to write its last data and end.
STOP_LIMIT: Final = 10.0
#: Bytes of log that are kept from one start to the next.
MAX_LOG: Final = 1_000_000

_CONFIG: Final = """\
# Written by Toolferry at every start; changes are lost.
port 0
unixsocket {socket}
unixsocketperm 700
requirepass {password}
dir {data}
appendonly yes
appendfsync everysec
save ""
maxmemory-policy noeviction
# A histogram of each command, also of those of scripts, would take 3 % of the server's time.
latency-tracking no
daemonize yes
pidfile {pid}
logfile {log}
"""


def start(binary: Path, folder: ServerFolder, socket: Path, password: str) -> None:
    """Start the server; returns before it answers. The caller knows that none is alive.

    Raises:
        LedgerUnavailable: It refused to start; tells its last word.
    """
    _cut_log(folder)
    folder.write("server.conf", _config(folder, socket, password))
    alive = FileLock(folder.file("alive.lock"))
    try:
        alive.take()
        _run(binary, folder, socket, alive)
    finally:
        alive.close()


def refusal_to_start(folder: ServerFolder, socket: Path, said: str = "") -> LedgerUnavailable:
    """Build the error of a server that died before it answered, with its last word."""
    lines = folder.read("server.log").splitlines()
    word = said or (lines[-1] if lines else "it said nothing")
    log = folder.file("server.log")
    return LedgerUnavailable(f"unix://{socket}", f"it did not start: {word} (see {log})")


def stop(folder: ServerFolder, alive: FileLock, socket: Path, password: str) -> None:
    """Stop the server and wait until it is gone; its data is on the disk then.

    A server that does not stop is left: it serves the next user.
    """
    client = client_of(socket, password)
    try:
        client.shutdown()
    except redis.RedisError:
        _terminate(folder)
    finally:
        client.close()
    deadline = time.monotonic() + STOP_LIMIT
    while not alive.is_free() and time.monotonic() < deadline:
        time.sleep(_PAUSE)
    if alive.is_free():
        remove_runtime(socket)


def _run(binary: Path, folder: ServerFolder, socket: Path, alive: FileLock) -> None:
    try:
        completed = subprocess.run(  # noqa: S603 -- the program is ours or the PATH's, no shell
            [binary, folder.file("server.conf")],
            pass_fds=(alive.descriptor,),
            # Of the user's environment it needs nothing, and an odd locale would stop it.
            env={"LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            start_new_session=True,
            check=False,
        )
    except OSError as error:
        raise refusal_to_start(folder, socket, f"{binary}: {error.strerror}") from error
    if completed.returncode:
        said = (completed.stderr or completed.stdout).decode(errors="replace")
        raise refusal_to_start(folder, socket, " ".join(said.split()))


def _config(folder: ServerFolder, socket: Path, password: str) -> str:
    return _CONFIG.format(
        socket=_quoted(str(socket)),
        password=_quoted(password),
        data=_quoted(str(folder.data)),
        pid=_quoted(str(folder.file("server.pid"))),
        log=_quoted(str(folder.file("server.log"))),
    )


def _quoted(text: str) -> str:
    # Only what no server reads as anything else stays as it is; a path may hold any byte.
    plain = string.ascii_letters + string.digits + "/._-"
    escaped = (chr(b) if chr(b) in plain else f"\\x{b:02x}" for b in os.fsencode(text))
    return f'"{"".join(escaped)}"'


def _cut_log(folder: ServerFolder) -> None:
    log = folder.file("server.log")
    if log.exists() and log.stat().st_size > MAX_LOG:
        log.unlink()


def _terminate(folder: ServerFolder) -> None:
    found = folder.process_id()
    if found is not None:
        with suppress(ProcessLookupError):
            os.kill(found, signal.SIGTERM)
