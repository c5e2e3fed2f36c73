"""`toolferry init`: in an empty folder, and then every command of the README that it wrote."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.console.conftest import Toolferry
from tests.console.ear import PATIENCE, Started, started
from toolferry_console.starter_files import STARTER

#: What makes the environment that the tests have already.
INSTALLING = ("python3 -m venv", ". .venv", "pip install")


@pytest.fixture
def project(tmp_path: Path, toolferry: Toolferry, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the project into an empty folder, where nothing is configured."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("TOOLFERRY_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert toolferry("init").code == 0
    return tmp_path


@pytest.fixture
def up(project: Path) -> Iterator[Started]:
    """Run the command that the README says to leave running."""
    [command] = [line for line in readme_commands(project) if line.startswith("toolferry up")]
    with started(*command.split()[1:], cwd=project, environ=os.environ) as up:
        up.ear.wait_for("worker.ready")
        up.ear.wait_for("worker.ready")
        yield up
        assert up.stop() == 0


def readme_commands(project: Path) -> list[str]:
    """List the commands of the README, in order."""
    text = (project / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def run(command: str, project: Path) -> str:
    """Run a command as it stands, as a person would, and give what it prints."""
    ran = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * PATIENCE,
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.mark.usefixtures("up")
def test_every_command_of_the_readme_works(project: Path) -> None:
    """From the tests to a recorded response, each as it stands there."""
    commands = [
        line
        for line in readme_commands(project)
        if not line.startswith((*INSTALLING, "toolferry up"))
    ]

    printed = {command: run(command, project) for command in commands}

    said = {command.split(" --")[0]: text for command, text in printed.items()}
    assert "3 passed" in said["pytest"]
    assert json.loads(said["toolferry call notes_add"])["text"] == "Tea at five."
    assert [note["text"] for note in json.loads(said["toolferry call notes_find"])] == [
        "Tea at five."
    ]
    assert "complete, 2 calls, 2 succeeded" in said["toolferry run response.json"]
    assert "notes_find" in said["toolferry tools"]
    assert "async" in said["toolferry status"]


def test_the_project_can_be_installed(project: Path) -> None:
    """Its metadata are right: the wheel holds the tools and asks for all that they need."""
    run(f"{sys.executable} -m hatchling build -t wheel -d dist", project)

    [wheel] = (project / "dist").glob("*.whl")
    shutil.unpack_archive(wheel, project / "unpacked", "zip")
    assert (project / "unpacked" / "notes_tools.py").exists()
    [metadata] = (project / "unpacked").glob("*.dist-info/METADATA")
    assert "Requires-Dist: toolferry[embedded]" in metadata.read_text()


def test_a_folder_that_is_named_is_made(tmp_path: Path, toolferry: Toolferry) -> None:
    """Each file is told, and what to do next."""
    ran = toolferry("init", str(tmp_path / "new" / "notes"))

    assert ran.code == 0
    assert {path.name for path in (tmp_path / "new" / "notes").iterdir()} == set(STARTER)
    assert ran.out.splitlines()[-1].startswith(f"next: {tmp_path}/new/notes/README.md says")


def test_nothing_is_overwritten(tmp_path: Path, toolferry: Toolferry) -> None:
    """A file that is there is named, and no other is written either."""
    (tmp_path / "README.md").write_text("mine")

    ran = toolferry("init", str(tmp_path))

    assert ran.code == 2
    assert ran.err == (
        f"toolferry: {tmp_path}/README.md is there already, so nothing was written;"
        " name an empty folder\n"
    )
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path: Path, toolferry: Toolferry) -> None:
    """It is somebody's file, although there is nothing in it."""
    (tmp_path / ".gitignore").symlink_to(tmp_path / "nowhere")

    ran = toolferry("init", str(tmp_path))

    assert ran.code == 2
    assert ".gitignore is there already" in ran.err
    assert not (tmp_path / "nowhere").exists()


def test_a_folder_that_is_a_file_is_named(tmp_path: Path, toolferry: Toolferry) -> None:
    """One line says what is in the way."""
    (tmp_path / "notes").touch()

    ran = toolferry("init", str(tmp_path / "notes"))

    assert ran.code == 2
    assert ran.err == f"toolferry: {tmp_path}/notes: cannot be written: file exists\n"
