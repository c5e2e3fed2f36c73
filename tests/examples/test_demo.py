"""The demo: what a newcomer sees first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from examples.demo.tools import query_crossings, read_file
from toolferry import ToolError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shown() -> list[str]:
    """Run the demo once and give the lines that it prints."""
    ran = subprocess.run(
        [sys.executable, "-m", "examples.demo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout.splitlines()


def table_of(lines: list[str]) -> list[list[str]]:
    """Give the rows of the table as words, without its heading."""
    start = next(at for at, line in enumerate(lines) if line.startswith("tool "))
    return [line.split() for line in lines[start + 1 : start + 9]]


def test_the_demo_ends_with_the_sum_of_its_calls(shown: list[str]) -> None:
    """Eight calls give eight results, and the last line counts them."""
    assert shown[-1] == ("demo complete: 8 calls, 8 results, 6 succeeded, 1 timed_out, 1 failed")


def test_the_demo_shows_a_table_in_the_models_order(shown: list[str]) -> None:
    """Each call stands with its tool, its lane, its attempts and its outcome."""
    rows = [(row[0], row[1], int(row[2]), row[-1]) for row in table_of(shown)]

    assert rows == [
        ("read_file", "async", 1, "succeeded"),
        ("read_file", "async", 1, "succeeded"),
        ("query_crossings", "process", 1, "succeeded"),
        ("read_page", "async", 1, "succeeded"),
        ("stretch_key", "process", 1, "succeeded"),
        ("ask_harbour_master", "async", 3, "succeeded"),
        ("scan_seabed", "process", 1, "timed_out"),
        ("read_file", "async", 0, "failed"),
    ]


def test_the_demo_shows_the_messages_of_the_conversation(shown: list[str]) -> None:
    """The model's own message comes first, then one message for each call."""
    messages = [line for line in shown if line.startswith('{"')]

    assert len(messages) == 9
    assert '"role": "assistant"' in messages[0]
    assert all('"role": "tool"' in message for message in messages[1:])


def test_the_database_of_the_demo_cannot_be_written() -> None:
    """The model's SQL runs on a connection that refuses to write."""
    with pytest.raises(ToolError, match="readonly database"):
        query_crossings("DELETE FROM crossing")


async def test_files_outside_the_project_cannot_be_read() -> None:
    """A path that leads out of the project is refused in the tool's own words."""
    with pytest.raises(ToolError, match="no file"):
        await read_file("../../etc/passwd")
