"""Entries: what one run of a script told the audit, as it waits in the stream to be sealed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import redis

from toolferry.record import record
from toolferry_ledger.audit.chain import Discrepancy
from toolferry_ledger.json_text import read_json

#: Digits of a number at the most: as exact as Lua counts.
_DIGITS: Final = 15
#: Entries that are read together.
BATCH: Final = 500


@record(frozen=True, slots=True)
class Note:
    """One thing that happened to a call, as a script told it: all texts."""

    kind: str
    call_key: str
    tool: str
    #: What else is told, by the kind.
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """All that one run of a script told."""

    #: Where it stands in the stream.
    position: str
    number: int
    #: Server time, milliseconds since the epoch, as the script wrote it.
    written_at: str
    #: The JSON text of its notes.
    what: str
    hash: str

    @property
    def at(self) -> float:
        """Server time, seconds since the epoch; 0 when it cannot be read."""
        return _number(self.written_at) / 1000

    @property
    def notes(self) -> Iterator[Note]:
        """Give what happened; what cannot be read is left out, and has changed the hash."""
        try:
            rows: Any = read_json(self.what.encode())
        except ValueError:
            return
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, list) and len(row) > 1:
                kind, key, tool, *rest = (*map(str, row), "") if len(row) == 2 else map(str, row)  # noqa: PLR2004 -- some have no tool
                yield Note(kind, key, tool, tuple(rest))

    def continues(self, number: int, previous: str) -> Iterator[str]:
        """Say what does not fit when it follows an entry.

        Args:
            number: The number of that entry.
            previous: Its hash; empty when that is not known.
        """
        if self.number > number + 1:
            yield f"entries {number + 1} to {self.number - 1} are missing"
        elif self.number <= number:
            yield f"entry {self.number} comes where entry {number + 1} was to come"
        elif self.hash != self._hash_after(previous):
            yield f"entry {self.number} was changed, or is not of our scripts"

    def _hash_after(self, previous: str) -> str:
        text = f"{previous}{self.number}{self.written_at}{self.what}"
        return hashlib.sha1(
            text.encode("utf-8", "surrogateescape"), usedforsecurity=False
        ).hexdigest()


def read_entries(client: redis.Redis, prefix: str) -> list[Entry]:
    """Read the oldest entries that wait, up to `BATCH`."""
    return [_read(position, row) for position, row in _range(client, prefix, "-")]


def read_all_entries(client: redis.Redis, prefix: str) -> Iterator[Entry]:
    """Read all entries that wait, the oldest first."""
    after = "-"
    while rows := _range(client, prefix, after):
        yield from (_read(position, row) for position, row in rows)
        after = f"({rows[-1][0].decode()}"


def discrepancies(
    entries: Sequence[Entry], number: int, previous: str
) -> Iterator[tuple[Entry, Discrepancy]]:
    """Say where entries do not continue one after the other, the first an entry that was sealed."""
    for entry in entries:
        for what in entry.continues(number, previous):
            yield entry, Discrepancy("server", what)
        number, previous = entry.number, entry.hash


def _range(client: redis.Redis, prefix: str, after: str) -> Any:
    return client.xrange(f"{prefix}audit", min=after, count=BATCH)


def _read(position: bytes, row: dict[bytes, bytes]) -> Entry:
    return Entry(
        position=position.decode(),
        number=_number(_text(row.get(b"number", b""))),
        written_at=_text(row.get(b"at", b"0")),
        what=_text(row.get(b"what", b"")),
        hash=_text(row.get(b"hash", b"")),
    )


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def _number(text: str) -> int:
    """Read a number that our scripts may have written; 0 when it is none."""
    fits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    return int(text) if fits else 0
