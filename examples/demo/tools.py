"""The demo's tools: what the recorded response asks for."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sqlite3
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from toolferry import NO_RETRY, RetryPolicy, ToolContext, ToolError, tool

_HERE: Final = Path(__file__).resolve().parent
_PROJECT: Final = _HERE.parents[1]
_DATABASE: Final = _HERE / "harbour.sqlite"
#: Where the demo serves its small site, such as http://127.0.0.1:8000.
SITE_VARIABLE: Final = "TOOLFERRY_DEMO_SITE"
#: The harbour master is busy for the first attempts.
_BUSY_ATTEMPTS: Final = 2


@tool(category="files")
async def read_file(path: str, max_lines: Annotated[int, Field(ge=1, le=50)] = 10) -> str:
    """Read the first lines of a text file of this project. It cannot read other folders.

    Args:
        path: The file, relative to the project's folder.
        max_lines: How many lines at the most.
    """
    file = (_PROJECT / path).resolve()
    if not file.is_relative_to(_PROJECT) or not file.is_file():
        raise ToolError("no_such_file", f"There is no file {path} in the project.")
    text = await asyncio.to_thread(file.read_text, encoding="utf-8")
    return "\n".join(text.splitlines()[:max_lines])


@tool(category="data")
def query_crossings(sql: Annotated[str, Field(max_length=2000)]) -> list[dict[str, Any]]:
    """Query past crossings when asked: crossing(day, route, passengers, delay_minutes). No writes.

    Args:
        sql: One SELECT statement.
    """
    with closing(sqlite3.connect(f"{_DATABASE.as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in database.execute(sql).fetchmany(100)]
        except sqlite3.Error as error:
            raise ToolError("bad_query", f"The query failed: {error}.") from error


@tool(category="web", timeout=5.0)
async def read_page(page: Literal["timetable", "notices"]) -> str:
    """Read a page of the ferry's site. Use it for what is planned; it does not tell delays.

    Args:
        page: Which one.
    """
    address = f"{os.environ[SITE_VARIABLE]}/{page}"
    return await asyncio.to_thread(_fetch, address)


def _fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=4) as reply:  # noqa: S310 -- the demo's own site
        return str(reply.read().decode("utf-8"))


@tool(category="work", timeout=20.0)
def stretch_key(passphrase: str, rounds: Annotated[int, Field(ge=1, le=10_000_000)]) -> str:
    """Derive a key from a passphrase when asked; takes about a second and does not store it.

    Args:
        passphrase: What to derive it from.
        rounds: How often it is hashed.
    """
    return hashlib.pbkdf2_hmac("sha256", passphrase.encode(), b"toolferry", rounds).hex()


@tool(category="people", retry=RetryPolicy(max_attempts=4, base=0.3))
async def ask_harbour_master(
    question: Annotated[str, Field(max_length=500)], ctx: ToolContext
) -> str:
    """Ask the harbour master, who is often busy. Use it when nothing is written about a question.

    Args:
        question: What to ask.
        ctx: Tells which attempt this is.
    """
    await asyncio.sleep(0.1)
    if ctx.attempt <= _BUSY_ATTEMPTS:
        raise ConnectionError("the line is busy")
    return f"You asked: {question} Yes, it is."


@tool(category="work", timeout=2.0, retry=NO_RETRY)
def scan_seabed(depth_metres: Annotated[float, Field(gt=0)]) -> str:
    """Scan the seabed when asked. The sonar is broken: it hangs, and will not stop politely.

    Args:
        depth_metres: How deep.
    """
    while depth_metres:
        try:
            time.sleep(60)
        except Exception:  # noqa: BLE001, S112 -- shows a handler that swallows the soft signal
            continue
    return "nothing but sand"
