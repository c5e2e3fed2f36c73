"""The chain: lines of which each names the one before, and seals that sign all up to them. Pure.

A line is one JSON object. `number` counts from 1, `previous` is the hash of the line before,
`hash`, always last, is the SHA-256 of the line's exact bytes without it. A *seal* is a line with a
`signature`: HMAC-SHA-256 of its bytes without signature and hash. So a seal vouches for every line
before it, and nobody without the secret can make one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from toolferry import SCHEMA_VERSION
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.signing import Signer

#: What the first line names as the one before.
NOTHING: Final = "0" * 64
#: Put before what a seal signs, so that no other signed text of the system passes for a seal.
_PURPOSE: Final = b"toolferry audit seal\n"
_HASH: Final = re.compile(rb',"hash":"([0-9a-f]{64})"}\Z')
_SIGNATURE: Final = re.compile(rb',"signature":"([0-9a-f]{64})"}\Z')


@dataclass(frozen=True, slots=True)
class Seal:
    """A signed line, which closes what was written before it."""

    #: The line's own number and hash.
    number: int
    hash: str
    #: Number and hash of the newest entry of the stream that is in front of it.
    entry: int
    entry_hash: str
    #: The line as it was written, without its end.
    text: bytes


#: Where a chain begins.
START: Final = Seal(0, NOTHING, 0, "", b"")


def write_batch(
    after: Seal,
    facts: Sequence[Mapping[str, Any]],
    entry: tuple[int, str],
    at: float,
    signer: Signer,
) -> tuple[bytes, Seal]:
    """Write lines that continue a chain, closed by a seal.

    Args:
        after: What they continue.
        facts: What each line tells.
        entry: Number and hash of the newest entry of the stream that is told with them.
        at: Server time, seconds since the epoch.
        signer: Signs the seal.

    Returns:
        The lines, each with its end, and the seal.
    """
    number, previous, lines = after.number, after.hash, []
    for told in facts:
        number += 1
        line, previous = _close(_body(number, previous, told))
        lines.append(line)
    last, entry_hash = entry
    told = {"kind": "seal", "at": at, "entry": last, "entry_hash": entry_hash}
    body = _body(number + 1, previous, told)
    signed = _with(body, "signature", signer.sign(_PURPOSE + body))
    line, own = _close(signed)
    lines.append(line)
    return b"".join(one + b"\n" for one in lines), Seal(number + 1, own, last, entry_hash, line)


def read_seal(line: bytes, signer: Signer) -> Seal | None:
    """Read a seal that is whole and genuine; None when the line is anything else."""
    found = _HASH.search(line)
    body = line[: found.start()] + b"}" if found else b""
    signed = _SIGNATURE.search(body)
    if not found or not signed or hashlib.sha256(body).hexdigest() != found[1].decode():
        return None
    if not signer.verify(_PURPOSE + body[: signed.start()] + b"}", signed[1].decode()):
        return None
    data = read_json(body)
    return Seal(data["number"], found[1].decode(), data["entry"], data["entry_hash"], line)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """Something that is not as it was written."""

    #: A file with the number of a line, or `server`.
    where: str
    #: One clause, without a full stop.
    what: str


class Reader:
    """Follows a chain line by line, and says what does not fit.

    Args:
        signer: Tells genuine seals.
        start: What the chain continues.
    """

    def __init__(self, signer: Signer, start: Seal = START) -> None:
        self._signer = signer
        self._number, self._hash = start.number, start.hash
        #: The newest genuine seal.
        self.seal = start
        #: All genuine seals by number and hash.
        self.seals: set[tuple[int, str]] = {(start.number, start.hash)}

    @property
    def is_closed(self) -> bool:
        """Whether no line follows the newest seal."""
        return self._number == self.seal.number

    @property
    def number(self) -> int:
        """The number of the newest line."""
        return self._number

    def read(self, where: str, line: bytes) -> Iterator[Discrepancy]:
        """Read the next line, without its end."""
        found = _HASH.search(line)
        body = line[: found.start()] + b"}" if found else line
        data = _object(body)
        if not found or hashlib.sha256(body).hexdigest() != found[1].decode() or data is None:
            yield Discrepancy(where, "the line was changed")
            self._number += 1
            self._hash = found[1].decode() if found else ""
            return
        yield from self._continues(where, data)
        self._number, self._hash = int(data["number"]), found[1].decode()
        if data.get("kind") == "seal":
            yield from self._take_seal(where, line)

    def _continues(self, where: str, data: Mapping[str, Any]) -> Iterator[Discrepancy]:
        number, expected = data["number"], self._number + 1
        if number != expected:
            yield Discrepancy(where, f"it is line {number} where line {expected} was to come")
        elif self._hash and data["previous"] != self._hash:
            yield Discrepancy(where, "it does not continue the line before it")

    def _take_seal(self, where: str, line: bytes) -> Iterator[Discrepancy]:
        seal = read_seal(line, self._signer)
        if seal is None:
            yield Discrepancy(where, "the seal is not signed with this system's secret")
            return
        self.seal = seal
        self.seals.add((seal.number, seal.hash))


def _body(number: int, previous: str, told: Mapping[str, Any]) -> bytes:
    start = {"schema_version": SCHEMA_VERSION, "number": number, "previous": previous}
    return write_json({**start, **told})


def _close(body: bytes) -> tuple[bytes, str]:
    own = hashlib.sha256(body).hexdigest()
    return _with(body, "hash", own), own


def _with(body: bytes, name: str, value: str) -> bytes:
    return body[:-1] + f',"{name}":"{value}"}}'.encode()


def _object(body: bytes) -> dict[str, Any] | None:
    """Read what a line has to have; None when it does not."""
    try:
        data = read_json(body)
    except ValueError:
        return None
    fits = isinstance(data, dict) and type(data.get("number")) is int and "previous" in data
    return data if fits else None
