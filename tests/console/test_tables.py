"""The tables and lines that people read."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from tests.console.test_report import REFUSED, SUCCEEDED
from toolferry_console.tables import CallRow, call_line, calls_table, tally


def test_a_table_shows_each_call_with_its_lane_and_times() -> None:
    """One line a call: tool, call, lane, attempts, waited, ran, outcome."""
    out = StringIO()
    rows = [CallRow.of(SUCCEEDED, "async"), CallRow.of(REFUSED, "")]

    Console(file=out, width=100).print(calls_table(rows))

    _, first, second = out.getvalue().splitlines()
    assert first.split() == ["add", "call_1", "async", "2", "0.25", "s", "0.75", "s", "succeeded"]
    assert second.split() == ["add", "call_2", "-", "0", "-", "-", "failed"]


def test_a_tool_name_is_never_read_as_markup() -> None:
    """What a model wrote is shown as it is, brackets too."""
    out = StringIO()
    row = CallRow(tool="[red]x[/red]", call_id="[bold]", lane="async", state="queued")

    Console(file=out, width=100).print(calls_table([row]))

    assert "[red]x[/red]" in out.getvalue()
    assert "[bold]" in out.getvalue()


def test_a_line_says_how_a_call_ended() -> None:
    """Without a terminal each end is one plain line."""
    line = call_line(CallRow.of(SUCCEEDED, "async"))

    assert line == "add (call_1): succeeded, 2 attempts, ran 0.75 s"


def test_the_tally_counts_successes_first() -> None:
    """The sum of a turn in one line."""
    assert tally([REFUSED, SUCCEEDED, SUCCEEDED]) == "3 calls, 2 succeeded, 1 failed"
