"""What an embedded server says when it is asked whether it is well."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path
from typing import Final

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from toolferry import LedgerUnavailable
from toolferry_ledger.server.folder import ServerFolder
from toolferry_ledger.server.locks import FileLock

#: Seconds between two questions to a server that starts; it is ready within 0.05 s.
_PAUSE: Final = 0.002
#: Seconds that a server may stay silent; one that is well answers at once. With the last question
#: it makes 5 s until a user is told.
SILENCE_LIMIT: Final = 4.0
#: Seconds that a server may need to load its data; it loads about 1 GB in ten.
LOADING_LIMIT: Final = 120.0


class Health(StrEnum):
    """How a server is, by what it says."""

    READY = "ready"
    #: It reads its data from the disk.
    LOADING = "loading"
    #: It does not listen yet, or does not speak.
    SILENT = "silent"
    #: It does not know the password, so it is not the folder's own.
    REFUSED = "refused"


def client_of(socket: Path, password: str) -> redis.Redis:
    """Make a client that asks once and waits 1 s at the most."""
    return redis.Redis(
        unix_socket_path=str(socket),
        password=password,
        socket_timeout=1.0,
        retry=Retry(NoBackoff(), 0),
    )


def ask(socket: Path, password: str) -> Health:
    """Ask a server once."""
    client = client_of(socket, password)
    try:
        client.ping()
    except redis.AuthenticationError:
        return Health.REFUSED
    except redis.BusyLoadingError:
        return Health.LOADING
    except redis.RedisError:
        return Health.SILENT
    finally:
        client.close()
    return Health.READY


def becomes_ready(folder: ServerFolder, alive: FileLock, socket: Path, password: str) -> bool:
    """Wait until the server is ready; False when it died meanwhile.

    Raises:
        LedgerUnavailable: It lives and stays silent, loads for too long, or is another folder's.
    """
    began = time.monotonic()
    while (answer := ask(socket, password)) is not Health.READY:
        waited = time.monotonic() - began
        if alive.is_free():
            return False
        limit = LOADING_LIMIT if answer is Health.LOADING else SILENCE_LIMIT
        if answer is Health.REFUSED or waited > limit:
            raise _useless(folder, socket, answer, waited)
        time.sleep(_PAUSE)
    return True


def _useless(
    folder: ServerFolder, socket: Path, answer: Health, waited: float
) -> LedgerUnavailable:
    what = {
        Health.REFUSED: "it refused the password of its own folder",
        Health.LOADING: f"it is still loading its data after {waited:.0f} s",
    }.get(answer, f"it has not answered for {waited:.0f} s")
    advice = f"see {folder.file('server.log')}, or end its process {folder.process_id()}"
    return LedgerUnavailable(f"unix://{socket}", f"{what}; {advice}")
