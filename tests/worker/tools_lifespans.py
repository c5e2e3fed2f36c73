"""Tools whose handlers share what lifespans open; a journal tells what happened, in order.

The folder `LIFESPANS_FOLDER` holds the journal and, one file for each, the troubles that the next
starts and closes of the second lifespan of a lane meet.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

from toolferry import Lane, Registry, RetryPolicy, ToolContext

registry = Registry()
#: Seconds in which each has to be up: much more than it takes, unless a test wants it to hang.
LIMIT = float(os.environ.get("LIFESPANS_LIMIT", "30"))


@dataclass(frozen=True)
class Database:
    """What all processes open."""

    pid: int


@dataclass(frozen=True)
class Client:
    """What the async lane opens, when the database is up."""

    database: Database


@dataclass(frozen=True)
class Model:
    """What the children open, when the database is up."""

    database: Database


def _folder() -> Path:
    return Path(os.environ["LIFESPANS_FOLDER"])


def _note(event: str) -> None:
    with (_folder() / "journal").open("a", encoding="utf-8") as journal:
        journal.write(f"{event} {os.getpid()}\n")


def _trouble(when: str) -> str:
    """Take the next trouble that is prepared."""
    for path in sorted(_folder().glob(f"{when}.*")):
        with contextlib.suppress(FileNotFoundError):
            text = path.read_text(encoding="utf-8")
            path.unlink()
            return text
    return ""


def _meet(when: str) -> None:
    match _trouble(when):
        case "raise":
            raise ConnectionError("nobody listens")
        case "hang":
            time.sleep(60)  # never comes back by itself: only the porter's signal ends it
        case "deaf":
            ctypes.PyDLL(None).sleep(60)  # holds the interpreter: no signal handler ever runs
        case "crash":
            os._exit(9)


async def _meet_async(when: str) -> None:
    match _trouble(when):
        case "raise":
            raise ConnectionError("nobody listens")
        case "hang":
            await asyncio.sleep(60)
        case "deaf":
            until = time.monotonic() + 5
            while time.monotonic() < until:
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(0.1)


@registry.lifespan(start_limit=LIMIT)
def database() -> Iterator[Database]:
    """Open the database."""
    _meet("database")
    _note("database opened")
    yield Database(os.getpid())
    _note("database closed")


@registry.lifespan(start_limit=LIMIT)
async def client(database: Database) -> AsyncIterator[Client]:
    """Open the client, which needs the database."""
    await _meet_async("open")
    _note("client opened")
    yield Client(database)
    await _meet_async("close")
    _note("client closed")


@registry.lifespan(lane=Lane.PROCESS, start_limit=LIMIT)
def model(database: Database) -> Iterator[Model]:
    """Open the model, which needs the database."""
    _meet("open")
    _note("model opened")
    yield Model(database)
    _meet("close")
    _note("model closed")


@registry.tool
async def ask_client(ctx: ToolContext) -> list[int]:
    """Tell in which process the client's database was opened, and in which the handler runs."""
    return [ctx.resource(Client).database.pid, os.getpid()]


@registry.tool
def ask_model(ctx: ToolContext) -> list[int]:
    """Tell in which process the model's database was opened, and in which the handler runs."""
    return [ctx.resource(Model).database.pid, os.getpid()]


@registry.tool
def ask_in_vain(ctx: ToolContext) -> int:
    """Ask for what only the other lane has."""
    return ctx.resource(Client).database.pid


@registry.tool(timeout=0.3, retry=RetryPolicy(max_attempts=1))
def overrun() -> None:
    """Take too long, and hear nothing."""
    with contextlib.suppress(Exception):
        time.sleep(60)  # ended by the soft limit, which it swallows
    time.sleep(60)  # ended by the hard limit alone
