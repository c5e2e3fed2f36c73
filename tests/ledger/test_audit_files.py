"""The files of the audit: any change of them is found, and limits delete the oldest only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolferry_ledger import Signer
from toolferry_ledger.audit.chain import START, Seal, write_batch
from toolferry_ledger.audit.folder import AuditFolder, read_cut, segment_name, segments_of
from toolferry_ledger.audit.setting import AuditSetting
from toolferry_ledger.audit.verifying import verify_folders

SIGNER = Signer(b"0123456789abcdef")


def fill(path: Path, *, batches: int = 6, keep: float | None = None) -> list[Seal]:
    """Write batches of two lines into files of two batches each; give all seals."""
    folder = AuditFolder(AuditSetting(folder=path, segment_bytes=900, keep=keep), SIGNER)
    seals = [START]
    for batch in range(batches):
        facts = [{"kind": "settled", "call": f"t:{batch}", "what": "x" * 20} for _ in range(2)]
        lines, seal = write_batch(seals[-1], facts, (batch + 1, "ab"), 1.0, SIGNER)
        with folder.locked():
            folder.append(lines, seals[-1], seal)
        seals.append(seal)
    return seals


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder of three files that nobody has touched."""
    path = tmp_path_factory.mktemp("sound") / "audit"
    fill(path)
    return path


def flip(data: bytes, at: int, byte: int) -> bytes:
    """Change one byte."""
    return data[:at] + bytes([byte]) + data[at + 1 :]


def insert(data: bytes, at: int, byte: int) -> bytes:
    """Put a byte in."""
    return data[:at] + bytes([byte]) + data[at:]


def remove(data: bytes, at: int, length: int) -> bytes:
    """Take some bytes out."""
    return data[:at] + data[at + 1 + length :]


def cut_tail(data: bytes, at: int, _: int) -> bytes:
    """Keep the beginning only."""
    return data[:at]


def drop_line(data: bytes, at: int, _: int) -> bytes:
    """Take a line out."""
    lines = data.splitlines(keepends=True)
    return b"".join(line for number, line in enumerate(lines) if number != at % len(lines))


def swap_lines(data: bytes, at: int, other: int) -> bytes:
    """Let two lines change places."""
    lines = data.splitlines(keepends=True)
    one, two = at % len(lines), other % len(lines)
    lines[one], lines[two] = lines[two], lines[one]
    return b"".join(lines)


def repeat_line(data: bytes, at: int, _: int) -> bytes:
    """Have a line twice."""
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[: at % len(lines)], lines[at % len(lines)], *lines[at % len(lines) :]])


CHANGES = (flip, insert, remove, cut_tail, drop_line, swap_lines, repeat_line)


def test_what_nobody_touched_is_sound(sound: Path) -> None:
    """Over several files."""
    found = verify_folders([sound], SIGNER)

    assert (found.is_sound, found.lines) == (True, 18)
    assert len(segments_of(sound)) == 3


@settings(max_examples=200, deadline=None)
@given(
    change=st.sampled_from(CHANGES),
    file=st.integers(0, 3),
    at=st.integers(0, 5000),
    value=st.integers(0, 255),
)
def test_any_single_change_of_a_file_is_found(
    sound: Path,
    tmp_path_factory: pytest.TempPathFactory,
    change: Callable[[bytes, int, int], bytes],
    file: int,
    at: int,
    value: int,
) -> None:
    """An edit, a removal, another order, a doubled line, a tail that was cut off."""
    changed = tmp_path_factory.mktemp("changed") / "audit"
    shutil.copytree(sound, changed)
    path = [*segments_of(changed), changed / "head.json"][file]
    before = path.read_bytes()
    after = change(before, at % len(before), value)
    assume(after != before)

    path.write_bytes(after)

    assert not verify_folders([changed], SIGNER).is_sound
    shutil.rmtree(changed)


@pytest.mark.parametrize("gone", range(4))
def test_a_file_that_is_gone_is_found(sound: Path, tmp_path: Path, gone: int) -> None:
    """The first, one in between, the last, the one that repeats the newest seal."""
    changed = tmp_path / "audit"
    shutil.copytree(sound, changed)

    [*segments_of(changed), changed / "head.json"][gone].unlink()

    assert not verify_folders([changed], SIGNER).is_sound


def test_files_that_another_secret_sealed_are_found(sound: Path) -> None:
    """Whoever has no secret can make a chain, and no seal."""
    found = verify_folders([sound], Signer(b"another-secret-0"))

    assert "not signed with this system's secret" in found.discrepancies[0].what


def test_a_tail_that_was_cut_at_a_seal_is_missed_where_the_head_was_kept(
    sound: Path, tmp_path: Path
) -> None:
    """With its own copy of the seal put back too, only what was kept elsewhere tells."""
    head = verify_folders([sound], SIGNER).seal
    older = tmp_path / "audit"
    fill(older, batches=4)

    alone = verify_folders([older], SIGNER)
    anchored = verify_folders([older], SIGNER, (head.number, head.hash))

    assert (alone.is_sound, anchored.is_sound) == (True, False)


def test_old_files_are_deleted_and_a_signed_cut_stays(tmp_path: Path) -> None:
    """What is left verifies from the cut on; the newest file always stays."""
    path = tmp_path / "audit"
    fill(path)
    for one in segments_of(path):
        os.utime(one, (0, 0))
    folder = AuditFolder(AuditSetting(folder=path, keep=60.0), SIGNER)

    folder.cut()

    assert len(segments_of(path)) == 1
    assert verify_folders([path], SIGNER).is_sound
    assert (read_cut(path, SIGNER) or START).number == 12


def test_files_beyond_their_size_are_deleted(tmp_path: Path) -> None:
    """The oldest first, as many as it takes."""
    path = tmp_path / "audit"
    fill(path)
    size = sum(one.stat().st_size for one in segments_of(path))
    folder = AuditFolder(AuditSetting(folder=path, max_bytes=size - 1), SIGNER)

    folder.cut()

    assert len(segments_of(path)) == 2
    assert verify_folders([path], SIGNER).is_sound


def test_a_seal_of_the_files_is_no_cut(tmp_path: Path) -> None:
    """Whoever deletes files cannot say that the limits did."""
    path = tmp_path / "audit"
    seals = fill(path)
    segments_of(path)[0].unlink()

    (path / "cut.json").write_bytes(b'{"seal":%s}' % seals[2].text)

    assert not verify_folders([path], SIGNER).is_sound


def test_what_a_crash_left_behind_the_last_seal_is_put_aside(tmp_path: Path) -> None:
    """It still waits in the stream; nothing of the file before it is touched."""
    path = tmp_path / "audit"
    seals = fill(path, batches=1)
    with segments_of(path)[0].open("ab") as file:
        file.write(b'{"half')
    torn = verify_folders([path], SIGNER)

    newest = AuditFolder(AuditSetting(folder=path), SIGNER).newest()

    assert not torn.is_sound
    assert newest == seals[-1]
    assert verify_folders([path], SIGNER).is_sound
    assert [one.read_bytes() for one in path.glob("rest-*")] == [b'{"half']


@pytest.mark.parametrize("batches", [0, 2], ids=["the first file", "another file"])
def test_what_a_crash_left_of_the_first_batch_of_a_file_is_put_aside(
    tmp_path: Path, batches: int
) -> None:
    """The batch that is written again does not stand behind a part of itself."""
    path = tmp_path / "audit"
    seals = fill(path, batches=batches)
    folder = AuditFolder(AuditSetting(folder=path, segment_bytes=900), SIGNER)
    lines, seal = write_batch(seals[-1], [{"kind": "settled"}], (9, "ab"), 1.0, SIGNER)
    path.mkdir(exist_ok=True)
    torn = path / segment_name(seals[-1].number + 1)
    torn.write_bytes(lines[:-50])
    torn.chmod(0o600)

    folder.append(lines, folder.newest(), seal)

    assert verify_folders([path], SIGNER).discrepancies == ()
    assert {one.stat().st_mode & 0o777 for one in path.glob("*-*")} == {0o600}
    assert [one.read_bytes() for one in path.glob("rest-*")] == [lines[:-50]]


def test_files_of_an_older_key_verify_while_it_is_among_the_keys(sound: Path) -> None:
    """A new key signs from now on."""
    both, new = Signer(b"a-newer-secret-1,0123456789abcdef"), Signer(b"a-newer-secret-1")

    assert verify_folders([sound], both).is_sound
    assert not verify_folders([sound], new).is_sound
