"""The trial: tools are imported apart, and what comes of it is told."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from toolferry_console import trial
from toolferry_console.trial import hold_trial

TOOLS = """
from toolferry import tool

print("hello")

@tool(timeout=77)
async def notes_find() -> None:
    '''Find notes.'''
"""


@pytest.fixture
def running() -> threading.Event:
    """Give what would say that it is time to stop."""
    return threading.Event()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_trial_tells_the_files_of_ones_own_and_the_longest_timeout(
    folder: Path, running: threading.Event
) -> None:
    """What the modules import is told with them, Python's own files are not."""
    (folder / "trial_tools.py").write_text(TOOLS + "import trial_more, email, redis\n")
    (folder / "trial_more.py").touch()

    held = hold_trial("trial_tools", running)

    assert held.fault == ""
    assert held.files == {folder / "trial_tools.py", folder / "trial_more.py"}
    assert held.longest == 77


def test_a_fault_is_told_with_the_file_and_the_line(folder: Path, running: threading.Event) -> None:
    """The file that is wrong is among those to watch, although it is no loaded module."""
    (folder / "trial_tools.py").write_text("import trial_wrong\n")
    (folder / "trial_wrong.py").write_text("\n1 / 0\n")

    held = hold_trial("trial_tools", running)

    where = f"({folder / 'trial_wrong.py'}, line 2)"
    assert held.fault == (
        "tools module trial_tools: it cannot be imported:"
        f" ZeroDivisionError: division by zero {where}"
    )
    assert held.files == {folder / "trial_tools.py", folder / "trial_wrong.py"}


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("import os; os._exit(7)", "its process ended with exit code 7"),
        ("import os; os.kill(os.getpid(), 9)", "its process ended with SIGKILL"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
    ],
)
def test_a_module_that_ends_its_process_is_told(
    folder: Path, running: threading.Event, code: str, end: str
) -> None:
    """Whatever a module does while it is imported happens to the trial."""
    (folder / "trial_tools.py").write_text(code)

    held = hold_trial("trial_tools", running)

    assert held.fault.startswith(f"tools module trial_tools: it cannot be imported: {end}")


def test_an_import_without_end_is_given_up(
    folder: Path, running: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module that waits for something at its top level keeps nobody."""
    (folder / "trial_tools.py").write_text("import signal\nsignal.pause()\n")
    monkeypatch.setattr(trial, "PATIENCE", 0.2)

    held = hold_trial("trial_tools", running)

    assert held.fault.endswith("it cannot be imported: it takes longer than 0.2 s")


def test_a_trial_ends_when_it_is_time_to_stop(folder: Path, running: threading.Event) -> None:
    """Ctrl-C does not wait for an import."""
    (folder / "trial_tools.py").write_text("import signal\nsignal.pause()\n")
    running.set()

    held = hold_trial("trial_tools", running)

    assert held.fault
