"""`toolferry call`: one call through the whole path, as a model would make it."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
import uuid
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.console.conftest import SAMPLE_TOOLS, Toolferry
from tests.console.ear import PATIENCE, started
from tests.console.test_embedded import TOOLS, processes_naming
from toolferry_console.call_view import CallView, under_way
from toolferry_console.printing import err
from toolferry_console.tables import CallRow
from toolferry_ledger import Progress, Settings

ADD = '{"a": 1, "b": 2}'


@pytest.fixture
def tools(tmp_path: Path) -> str:
    """Write a module of tools under a name that no other test has; give the name."""
    name = f"tools_{uuid.uuid4().hex[:8]}"
    (tmp_path / f"{name}.py").write_text(TOOLS)
    return name


@pytest.fixture
def environ() -> Mapping[str, str]:
    """Give an environment in which nothing is configured."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TOOLFERRY_")}


def test_the_content_goes_to_stdout_and_how_it_went_to_stderr(
    staffed_toolferry: Toolferry,
) -> None:
    """What a tool returned can be piped on."""
    ran = staffed_toolferry("call", "add", "--arguments", ADD)

    assert ran.code == 0
    assert ran.out == "3\n"
    assert ran.err.startswith("add (call_1): succeeded, 1 attempt, ran ")


def test_json_is_what_run_prints(staffed_toolferry: Toolferry) -> None:
    """Scripts read one format."""
    ran = staffed_toolferry("call", "hold", "--json")

    assert ran.code == 0
    assert ran.err == ""
    assert ran.object["state"] == "complete"
    [result] = ran.object["results"]
    assert (result["name"], result["outcome"], result["content"]) == ("hold", "succeeded", "held")
    assert [message["tool_call_id"] for message in ran.object["messages"]] == ["call_1"]


def test_a_failure_is_told_with_what_to_do(staffed_toolferry: Toolferry) -> None:
    """The sentences that the model would read, on stderr, and exit code 1."""
    ran = staffed_toolferry("call", "add", "--arguments", '{"a": "x"}')

    assert ran.code == 1
    assert ran.out == ""
    lines = ran.err.splitlines()
    assert "a: expected integer" in lines[0]
    assert lines[-1] == "add (call_1): failed, 0 attempts"


@pytest.mark.parametrize("given", ["@args.json", "-"])
def test_arguments_come_from_a_file_or_from_standard_input(
    staffed_toolferry: Toolferry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """Nobody has to quote JSON for a shell."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "args.json").write_text(ADD)
    monkeypatch.setattr(sys, "stdin", io.StringIO(ADD))

    ran = staffed_toolferry("call", "add", "--arguments", given)

    assert (ran.code, ran.out) == (0, "3\n")


def test_an_unknown_tool_is_told_with_the_closest_ones(toolferry: Toolferry) -> None:
    """Nothing is called, and the person sees the slip."""
    ran = toolferry("call", "ad", "--arguments", ADD)

    assert ran.code == 2
    assert ran.err == (f"toolferry: there is no tool 'ad' in {SAMPLE_TOOLS}; did you mean add?\n")


def test_a_name_like_no_other_is_told_where_the_names_are(toolferry: Toolferry) -> None:
    """No guess is better than a wild one."""
    ran = toolferry("call", "zzzzzz")

    assert ran.code == 2
    assert ran.err.endswith("; see: toolferry tools\n")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            '{"a": }',
            "--arguments: the arguments are no valid JSON object: expecting value at character 7",
        ),
        ("[1]", "--arguments: must be one JSON object"),
        ("null", "--arguments: must be one JSON object"),
        ("", "--arguments: the arguments end before they are complete"),
        ("@nowhere.json", "nowhere.json: no such file or directory"),
    ],
)
def test_arguments_that_are_no_json_are_told_with_the_place(
    toolferry: Toolferry, given: str, said: str
) -> None:
    """One line, and nothing is called."""
    ran = toolferry("call", "add", "--arguments", given)

    assert ran.code == 2
    assert ran.err.startswith(f"toolferry: {said}")
    assert len(ran.err.splitlines()) == 1


def test_a_call_that_nobody_runs_is_pending_when_the_time_is_over(toolferry: Toolferry) -> None:
    """With a configured server no workers are brought to it."""
    ran = toolferry("call", "add", "--arguments", ADD, "--timeout", "0")

    assert ran.code == 1
    assert ran.err.startswith("add: queued, ")


def test_without_anything_running_it_brings_what_it_needs(
    tmp_path: Path, tools: str, environ: Mapping[str, str]
) -> None:
    """A server and one worker, of the tool's lane, for as long as the call takes."""
    command = [sys.executable, "-m", "toolferry_console.main", "call", "add", "--arguments", ADD]

    ran = subprocess.run(
        [*command, "--tools", tools],
        cwd=tmp_path,
        env=dict(environ),
        capture_output=True,
        text=True,
        check=False,
        timeout=4 * PATIENCE,
    )

    assert (ran.returncode, ran.stdout) == (0, "3\n"), ran.stderr
    assert processes_naming(tools) == []


def test_with_up_running_no_other_worker_is_brought(
    tmp_path: Path, tools: str, environ: Mapping[str, str]
) -> None:
    """The call runs on a worker that is there."""
    with started("up", "--tools", tools, cwd=tmp_path, environ=environ) as up:
        up.ear.wait_for("worker.ready")
        up.ear.wait_for("worker.ready")
        command = ("call", "add", "--arguments", ADD, "--tools", tools, "--json")
        with started(*command, cwd=tmp_path, environ=environ) as call:
            printed = json.loads(call.ear.wait_for("schema_version"))
            assert call.wait() == 0
        up.ear.wait_for("async", "call.succeeded", printed["turn_id"])
        assert up.stop() == 0


def test_on_a_terminal_progress_is_shown(staffed: Settings) -> None:
    """A person sees what the handler reports while it runs."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "toolferry_console.main", "call", "climb", "--arguments", "{}"]
    variables = {**staffed.environment(), "TOOLFERRY_TOOLS": SAMPLE_TOOLS, "TERM": "xterm"}

    with subprocess.Popen(
        command, env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        shown = b""
        while b"50 %, half way" not in shown:
            shown += os.read(ours, 4096)
        process.terminate()
    os.close(ours)

    assert b"climb: running, 1 attempt" in shown


def test_reports_of_any_kind_can_be_shown() -> None:
    """A handler may say only how far it is, only what it does, or what a terminal would obey."""
    row = CallRow(tool="climb", call_id="c", lane="async", state="running", attempts=1, ran=1.0)

    assert under_way(row, Progress(0.5, "")) == "climb: running, 1 attempt, 1.0 s, 50 %"
    assert under_way(row, Progress(None, "up")) == "climb: running, 1 attempt, 1.0 s, up"
    assert under_way(row, Progress(None, "\x1b[2J")).endswith("\N{REPLACEMENT CHARACTER}[2J")


def test_only_a_call_that_runs_is_asked_for_its_progress() -> None:
    """While it waits there is nothing to report, and nothing to read."""
    asked: list[int] = []

    def read() -> None:
        asked.append(1)

    waiting = CallRow(tool="climb", call_id="c", lane="async", state="queued", waited=0.1)
    running = CallRow(tool="climb", call_id="c", lane="async", state="running", ran=0.1)
    with CallView(err(), read) as view:
        view.update([waiting])
        before = len(asked)
        view.update([running])

    assert (before, len(asked)) == (0, 1)
