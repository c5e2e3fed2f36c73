"""The program around the commands: usage errors are one line and exit code 2."""

from __future__ import annotations

import subprocess
import sys

import pytest

from toolferry_console.main import main, run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fly"], "No such command 'fly'"),
        (["tools"], "Missing option '--tools'"),
        (["run", "--tools", "x", "--fast"], "No such option"),
        (["run", "--tools", "x", "--timeout", "soon"], "Invalid value for '--timeout'"),
        (["worker", "--tools", "x", "--lane", "left"], "Invalid value for '--lane'"),
        ([], "Missing command"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line says what is wrong and where help is."""
    monkeypatch.delenv("TOOLFERRY_TOOLS", raising=False)

    code = run(arguments)

    shown = capsys.readouterr()
    [line] = shown.err.splitlines()
    assert code == 2
    assert line.startswith("toolferry: ")
    assert said in line
    assert line.endswith("see: toolferry --help")
    assert shown.out == ""


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` is no error and goes to stdout."""
    with pytest.raises(SystemExit) as left:
        main(["--help"])

    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert all(command in shown for command in ("up", "worker", "run", "tools", "status"))


def test_a_missing_extra_is_named() -> None:
    """Without typer the program says what to install."""
    code = (
        "import sys; sys.modules['typer'] = None; from toolferry_console.main import main; main()"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert ran.returncode == 2
    assert ran.stderr == "toolferry: needs typer: pip install 'toolferry[cli]'\n"
