"""The sources: what changed is found, whether or not it was told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolferry_console import sources
from toolferry_console.sources import Sources, neighbourhood


@pytest.fixture
def running() -> threading.Event:
    """Give what would say that it is time to stop."""
    return threading.Event()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write one source."""
    path = tmp_path / "notes_tools.py"
    path.write_text("one")
    return path


@pytest.fixture
def watched(file: Path, running: threading.Event) -> Iterator[Sources]:
    """Watch it."""
    watched = Sources(lambda: {file}, running)
    yield watched
    watched.close()


def test_nothing_has_changed_at_first(watched: Sources) -> None:
    """Watching changes nothing."""
    assert not watched.have_changed()


def test_a_change_ends_the_waiting(watched: Sources, file: Path) -> None:
    """What is written while somebody waits is told."""
    writer = threading.Timer(0.05, file.write_text, ["three"])
    writer.start()

    while not watched.wait_changed():
        continue

    assert file.read_text() == "three"


def test_another_file_in_the_folder_is_no_change(watched: Sources, file: Path) -> None:
    """What the tools themselves write beside them reloads nothing."""
    file.with_name("notes.jsonl").write_text("{}")

    assert not watched.have_changed()


def test_a_file_that_was_replaced_or_removed_has_changed(watched: Sources, file: Path) -> None:
    """Editors put another file in its place."""
    other = file.with_name("other")
    other.write_text("longer")
    other.replace(file)
    replaced = watched.have_changed()
    file.unlink()

    assert replaced
    assert watched.have_changed()


def test_an_earlier_look_counts(file: Path, running: threading.Event) -> None:
    """What changed between that look and this one is a change."""
    earlier = Sources(lambda: {file}, running)
    file.write_text("later")

    assert Sources(lambda: {file}, running, earlier.stamps).have_changed()


def test_a_neighbour_that_turns_up_is_a_change(file: Path, running: threading.Event) -> None:
    """A module that was missing is noticed although nothing ever loaded it."""
    around = Sources(lambda: neighbourhood({file}), running)
    before = around.have_changed()
    file.with_name("notes_more.py").touch()

    assert not before
    assert around.have_changed()


def test_without_a_watch_of_the_system_files_are_looked_at(
    file: Path, running: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be watched costs at most a look's pause."""
    monkeypatch.setattr(sources, "LOOK_EVERY", 0.01)
    watched = Sources(lambda: {file}, running)
    file.parent.rename(file.parent.with_name("away"))

    assert watched.wait_changed()


def test_waiting_ends_when_it_is_time_to_stop(watched: Sources, running: threading.Event) -> None:
    """Ctrl-C does not wait for a change."""
    running.set()

    assert not watched.wait_changed()
