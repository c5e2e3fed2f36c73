"""The policy file of a process: found at the start, followed while it runs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from toolferry_ledger import PolicyFile, policy_file
from toolferry_ledger.policy_file import LOOK_EVERY
from toolferry_policies import NO_POLICY, PolicyInvalid

FIRST = "[tools.refund]\nconfirm = 'always'\n"
SECOND = "[tools.refund]\nconfirm = 'never'\n# and that is all\n"


def write(file: Path, text: str) -> None:
    """Write a file a while ago."""
    file.write_text(text)
    os.utime(file, ns=(0, time.time_ns() - 10**10))


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Give the time in seconds."""
        return self.now

    def go_on(self) -> None:
        """Let the time between two looks pass."""
        self.now += LOOK_EVERY


@pytest.fixture
def clock() -> Clock:
    """Give a clock that stands still."""
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a policy file."""
    path = tmp_path / "toolferry.toml"
    write(path, FIRST)
    return path


def test_a_file_that_changes_is_taken_over_without_a_restart(file: Path, clock: Clock) -> None:
    """At the first look after the change."""
    followed = PolicyFile(file, clock)
    first = followed.current()
    write(file, SECOND)

    unlooked = followed.current()
    clock.go_on()
    with capture_logs() as logs:
        second = followed.current()

    assert unlooked is first
    assert second.declaration.tools["refund"].confirm == "never"
    assert [(entry["event"], entry["old"], entry["new"]) for entry in logs] == [
        ("policy.changed", first.hash, second.hash)
    ]


@pytest.mark.parametrize("spoil", [lambda file: write(file, "tools = 1"), Path.unlink])
def test_a_file_that_cannot_be_used_any_more_leaves_the_policy_as_it_was(
    file: Path, clock: Clock, spoil: Callable[[Path], object]
) -> None:
    """Nothing is permitted by a slip; the log tells once."""
    followed = PolicyFile(file, clock)
    first = followed.current()
    spoil(file)
    clock.go_on()

    with capture_logs() as logs:
        kept = followed.current()
        clock.go_on()
        followed.current()

    assert kept is first
    assert [entry["event"] for entry in logs] == ["policy.refused"]
    assert followed.fault is not None


def test_a_file_that_is_mended_is_taken_over(file: Path, clock: Clock) -> None:
    """The fault is over with it."""
    followed = PolicyFile(file, clock)
    for text in ("tools = 1", SECOND):
        write(file, text)
        clock.go_on()
        followed.current()

    assert followed.fault is None
    assert followed.current().hash != ""


def test_a_file_that_comes_later_is_taken_over(tmp_path: Path, clock: Clock) -> None:
    """An operator may declare something while all runs."""
    followed = PolicyFile(tmp_path / "later.toml", clock)
    before = followed.current()
    write(followed.path, FIRST)
    clock.go_on()

    assert before is NO_POLICY
    assert followed.current().hash


def test_a_process_does_not_start_with_a_file_that_cannot_be_used(file: Path) -> None:
    """All that is wrong is said at once."""
    file.write_text("[tools.refund]\nconfirm = 1\n")

    with pytest.raises(PolicyInvalid, match=r"toolferry\.toml: line 2: tools\.refund\.confirm: "):
        policy_file({"TOOLFERRY_POLICY": str(file)})


def test_a_process_does_not_start_when_the_file_that_is_named_is_not_there() -> None:
    """A slip in a path permits nothing."""
    with pytest.raises(PolicyInvalid, match="TOOLFERRY_POLICY: there is no file /nowhere"):
        policy_file({"TOOLFERRY_POLICY": "/nowhere"})


def test_without_a_name_the_file_is_the_one_in_the_working_directory(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project needs no variable."""
    monkeypatch.chdir(file.parent)

    assert policy_file({}).current().hash


def test_a_file_that_is_being_written_is_not_taken_for_what_is_meant(
    file: Path, clock: Clock
) -> None:
    """An empty one restricts nothing; the next look shows whether it stays."""
    followed = PolicyFile(file, clock)
    first = followed.current()
    file.write_text("")
    clock.go_on()
    half = followed.current()
    file.write_text(SECOND)
    clock.go_on()
    whole = followed.current()
    clock.go_on()

    settled = followed.current()

    assert half is first
    assert whole is first
    assert settled.declaration.tools["refund"].confirm == "never"
