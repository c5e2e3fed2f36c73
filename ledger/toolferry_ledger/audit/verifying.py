"""Verifying: whether files and stream are as they were written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import redis

from toolferry import SCHEMA_VERSION
from toolferry_ledger.audit.chain import START, Discrepancy, Reader, Seal, read_seal
from toolferry_ledger.audit.entries import read_all_entries
from toolferry_ledger.audit.folder import CUT, HEAD, read_cut, read_head, segments_of
from toolferry_ledger.signing import Signer

#: Number and hash of a seal.
Anchor: TypeAlias = tuple[int, str]
#: Discrepancies that are told; more say nothing new.
MAX_TOLD: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was found out about an audit."""

    #: Lines that were read, seals included.
    lines: int
    #: Entries that wait in the server; None when it was not asked.
    waiting: int | None
    #: The newest genuine seal: number and hash are what to keep elsewhere.
    seal: Seal
    discrepancies: tuple[Discrepancy, ...]

    @property
    def is_sound(self) -> bool:
        """Whether all is as it was written."""
        return not self.discrepancies

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "ok": self.is_sound,
            "lines": self.lines,
            "waiting": self.waiting,
            "head": {"number": self.seal.number, "hash": self.seal.hash},
            "discrepancies": [{"where": one.where, "what": one.what} for one in self.discrepancies],
        }


@dataclass(frozen=True, slots=True)
class ServerSide:
    """What the server has of an audit, as it is there."""

    #: The newest seal; empty when there is none.
    sealed: bytes
    #: Number and hash of the newest entry; 0 when there was none.
    head: tuple[int, str]
    #: How many entries could not be written.
    lost: int


def read_server_side(client: redis.Redis, prefix: str) -> ServerSide:
    """Read it: one round trip."""
    with client.pipeline(transaction=True) as pipe:
        pipe.get(f"{prefix}audit:sealed")
        pipe.hmget(f"{prefix}audit:head", "number", "hash")
        pipe.get(f"{prefix}audit:lost")
        sealed, (number, own), lost = pipe.execute()
    return ServerSide(sealed or b"", (int(number or 0), (own or b"").decode()), int(lost or 0))


def verify_folders(
    folders: Sequence[Path], signer: Signer, anchor: Anchor | None = None
) -> Verified:
    """Verify files alone; see `verify`."""
    reader, found = _read_folders(folders, signer, anchor)
    return _verified(reader, found, None)


def verify(
    folders: Sequence[Path],
    signer: Signer,
    client: redis.Redis,
    prefix: str,
    anchor: Anchor | None = None,
) -> Verified:
    """Verify files and what the server has.

    Nothing may seal meanwhile, or its newest batch looks like a discrepancy.

    Args:
        folders: Of all machines that sealed; usually one.
        signer: Tells genuine seals.
        client: Of the server.
        prefix: What the system's keys start with.
        anchor: Number and hash of a seal that was seen before, and must still be there.
    """
    reader, found = _read_folders(folders, signer, anchor)
    server = read_server_side(client, prefix)
    found += _compare(reader, server, signer)
    waiting = 0
    number, previous = reader.seal.entry, reader.seal.entry_hash
    for entry in read_all_entries(client, prefix):
        waiting += 1
        found += [Discrepancy("server", what) for what in entry.continues(number, previous)]
        number, previous = entry.number, entry.hash
    if server.head[0] and (number, previous) != server.head and not _grew(server, number):
        found.append(Discrepancy("server", f"entries after {number} are missing"))
    if server.lost:
        found.append(Discrepancy("server", f"{server.lost} entries could not be written"))
    return _verified(reader, found, waiting)


def _read_folders(
    folders: Sequence[Path], signer: Signer, anchor: Anchor | None
) -> tuple[Reader, list[Discrepancy]]:
    start = max((read_cut(one, signer) or START for one in folders), key=lambda seal: seal.number)
    reader, found = Reader(signer, start), list[Discrepancy]()
    for one in folders:
        if (one / CUT).exists() and read_cut(one, signer) is None:
            found.append(Discrepancy(CUT, "it is not signed with this system's secret"))
    paths = sorted((path for one in folders for path in segments_of(one)), key=lambda p: p.name)
    for path in paths:
        if _first_number(path) > start.number:
            found += _read_file(path, reader)
    if not reader.is_closed:
        found.append(Discrepancy(_last(paths), "what follows the last seal is not sealed"))
    heads = [head for one in folders if (head := read_head(one, signer))]
    newest = max(heads, key=lambda seal: seal.number, default=START)
    if newest.text != reader.seal.text:
        found.append(Discrepancy(HEAD, _missing(reader.seal, newest, "the file's own seal")))
    if anchor and anchor[0] >= start.number and anchor not in reader.seals:
        found.append(Discrepancy("files", f"the seal {anchor[0]} that was expected is not there"))
    return reader, found


def _read_file(path: Path, reader: Reader) -> Iterator[Discrepancy]:
    if _first_number(path) != reader.number + 1:
        yield Discrepancy(path.name, f"line {reader.number + 1} was to come here")
    lines = path.read_bytes().split(b"\n")
    if lines.pop() != b"":
        yield Discrepancy(path.name, "its last line has no end")
    for at, line in enumerate(lines, start=1):
        yield from reader.read(f"{path.name}:{at}", line)


def _compare(reader: Reader, server: ServerSide, signer: Signer) -> list[Discrepancy]:
    """Compare the files' newest seal with the server's."""
    if server.sealed == reader.seal.text:
        return []
    known = read_seal(server.sealed, signer)
    if known is None:
        what = "has no genuine seal: it lost its data, or somebody removed it"
        return [Discrepancy("server", what)]
    if (known.number, known.hash) in reader.seals:
        what = "its seal is older than the files': of a crash while sealing, or put back"
        return [Discrepancy("server", what)]
    return [Discrepancy("files", _missing(reader.seal, known, "the server's seal"))]


def _missing(found: Seal, known: Seal, whose: str) -> str:
    if known is START:
        return f"{whose} is missing, or is not genuine"
    if known.number > found.number:
        return f"lines {found.number + 1} to {known.number} are missing: {whose} names them"
    return f"the newest seal is another one than {whose}"


def _grew(server: ServerSide, number: int) -> bool:
    """Tell whether entries came between two looks at the server."""
    return number > server.head[0]


def _verified(reader: Reader, found: list[Discrepancy], waiting: int | None) -> Verified:
    return Verified(
        lines=reader.number,
        waiting=waiting,
        seal=reader.seal,
        discrepancies=tuple(found[:MAX_TOLD]),
    )


def _first_number(path: Path) -> int:
    digits = path.stem.removeprefix("audit-")
    return int(digits) if digits.isdecimal() else 0


def _last(paths: Sequence[Path]) -> str:
    return paths[-1].name if paths else "files"
