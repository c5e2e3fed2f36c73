"""The folder of the audit: files of lines, the newest seal, and what is left of deleted files."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from toolferry_ledger.audit.chain import START, Seal, read_seal
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.signing import Signer

#: The file that repeats the newest seal.
HEAD: Final = "head.json"
#: The file that holds the last seal of the files that were deleted for age or size.
CUT: Final = "cut.json"
_LOCK: Final = "lock"
#: Bytes at the end of a file in which the last seal is looked for first.
_WINDOW: Final = 65_536
#: Put before what a cut signs.
_CUT_PURPOSE: Final = b"toolferry audit cut\n"


def segments_of(folder: Path) -> list[Path]:
    """Give the files of lines, the oldest first."""
    return sorted(folder.glob("audit-*.jsonl"))


def segment_name(number: int) -> str:
    """Name the file whose first line has a number.

    >>> segment_name(17)
    'audit-000000000017.jsonl'
    """
    return f"audit-{number:012d}.jsonl"


class AuditFolder:
    """Where one system's audit is kept on this machine. One process at a time writes to it.

    All methods raise `OSError` when the disk refuses.

    Args:
        setting: Names the folder, which is made with mode 0700, and its limits.
        signer: Tells genuine seals.
    """

    def __init__(self, setting: AuditSetting, signer: Signer) -> None:
        if setting.folder is None:
            raise ValueError("this process keeps no files of the audit")
        self.path = setting.folder
        self._setting = setting
        self._signer = signer

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes of this machine from writing to it meanwhile."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self.path / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def newest(self) -> Seal:
        """Find the newest genuine seal; START when there is none.

        What stands behind it is of a batch that a crash cut short, and still waits in the stream:
        it is put aside, into a file `rest-…`, so that what follows continues the seal.
        """
        for path in reversed(segments_of(self.path)):
            found = self._last_in(path)
            if found is not None:
                return found
        return read_cut(self.path, self._signer) or START

    def append(self, lines: bytes, after: Seal, seal: Seal) -> None:
        """Write a batch, and force it to the disk; leaves nothing of it when that fails.

        Args:
            lines: The batch.
            after: The seal that it continues.
            seal: The one that closes it.
        """
        path = self._segment_for(after)
        with open(path, "ab", buffering=0, opener=_private) as file:
            size = file.seek(0, os.SEEK_END)
            try:
                _write_all(file.fileno(), lines)
                os.fsync(file.fileno())
            except OSError:
                with suppress(OSError):
                    file.truncate(size)
                raise
        if size == 0:
            _sync_folder(self.path)
        self._write_whole(HEAD, seal.text)

    def take_back(self, lines: bytes, after: Seal) -> None:
        """Take the batch that was just written out again: another process has sealed instead."""
        path = segments_of(self.path)[-1]
        size = path.stat().st_size - len(lines)
        if size > 0:
            os.truncate(path, size)
        else:
            path.unlink()
        self._write_whole(HEAD, after.text)

    def cut(self) -> None:
        """Delete files that are too old or too many; the last seal of the last one stays."""
        if self._setting.keep is None and self._setting.max_bytes is None:
            return
        paths = segments_of(self.path)
        total = sum(path.stat().st_size for path in paths)
        for path in paths[:-1]:
            status = path.stat()
            if not self._is_too_old(status.st_mtime) and not self._is_too_much(total):
                return
            seal = self._last_in(path)
            if seal is None:
                return
            self._write_whole(CUT, write_cut(seal, self._signer))
            path.unlink()
            total -= status.st_size

    def _is_too_old(self, written_at: float) -> bool:
        return self._setting.keep is not None and time.time() - written_at > self._setting.keep

    def _is_too_much(self, total: int) -> bool:
        return self._setting.max_bytes is not None and total > self._setting.max_bytes

    def _last_in(self, path: Path) -> Seal | None:
        """Find the last genuine seal of a file, and put aside what stands behind it."""
        size = path.stat().st_size
        for window in dict.fromkeys((min(_WINDOW, size), size)):
            with path.open("rb") as file:
                file.seek(size - window)
                data = file.read(window)
            seal, end = _find_last(data, self._signer)
            if seal is not None:
                self._put_aside(path, data[end:], size - window + end)
                return seal
        return None

    def _put_aside(self, path: Path, rest: bytes, end: int) -> None:
        if rest:
            aside = self.path / f"rest-{path.stem}-{time.time_ns()}"
            with open(aside, "wb", opener=_private) as file:
                file.write(rest)
            os.truncate(path, end)

    def _segment_for(self, after: Seal) -> Path:
        """Give the newest file, or a new one: when it is full, or does not end with the seal."""
        paths = segments_of(self.path)
        if paths and paths[-1].stat().st_size < self._setting.segment_bytes:
            seal = self._last_in(paths[-1])
            if seal is not None and seal.text == after.text:
                return paths[-1]
        path = self.path / segment_name(after.number + 1)
        if path.exists():  # a crash cut its very first batch short: no seal is in it
            self._put_aside(path, path.read_bytes(), 0)
        return path

    def _write_whole(self, name: str, text: bytes) -> None:
        """Write a small file, whole or not at all."""
        path, new = self.path / name, self.path / f"{name}.new"
        with new.open("wb") as file:
            file.write(text + b"\n")
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)


def read_head(folder: Path, signer: Signer) -> Seal | None:
    """Read the seal that the folder repeats; None when it is not there or not genuine."""
    try:
        text = (folder / HEAD).read_bytes()
    except FileNotFoundError:
        return None
    return read_seal(text[:-1], signer) if text.endswith(b"\n") else None


@contextmanager
def locked(folders: Sequence[Path]) -> Iterator[None]:
    """Keep processes of this machine from sealing meanwhile, in folders that may be locked."""
    with ExitStack() as stack:
        for folder in folders:
            with suppress(FileNotFoundError, PermissionError):
                lock = stack.enter_context((folder / _LOCK).open("r"))
                fcntl.flock(lock, fcntl.LOCK_SH)
        yield


def write_cut(seal: Seal, signer: Signer) -> bytes:
    """Say that everything up to a seal was deleted as the limits want it.

    Signed for itself: the seal alone stands in the files, and would let anybody delete them.
    """
    data = {"seal": seal.text.decode(), "signature": signer.sign(_CUT_PURPOSE + seal.text)}
    return write_json(data)


def read_cut(folder: Path, signer: Signer) -> Seal | None:
    """Read up to where files were deleted; None when none were, or nobody vouches for it."""
    try:
        data = (folder / CUT).read_bytes()
        seal = read_seal(read_json(data)["seal"].encode(), signer)
        return seal if seal and _vouched_for(seal, data, signer) else None
    except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _vouched_for(seal: Seal, data: bytes, signer: Signer) -> bool:
    found = read_json(data)
    genuine = signer.verify(_CUT_PURPOSE + seal.text, found["signature"])
    return genuine and data == write_json(found) + b"\n"


def _find_last(data: bytes, signer: Signer) -> tuple[Seal | None, int]:
    """Find the last genuine seal in a part of a file, and where its line ends."""
    end = data.rfind(b"\n") + 1
    while end > 0:
        start = data.rfind(b"\n", 0, end - 1) + 1
        seal = read_seal(data[start : end - 1], signer)
        if seal is not None:
            return seal, end
        end = start
    return None, 0


def _private(path: str, flags: int) -> int:
    """Open a file that nobody else may read, also in a folder that was there before."""
    return os.open(path, flags, 0o600)


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]


def _sync_folder(path: Path) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
