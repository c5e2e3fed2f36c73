"""The tables and lines that people read."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from tests.console.test_report import REFUSED, SUCCEEDED
from toolferry.phrases import phrases_in
from toolferry_console.tables import MAX_DISPLAY, CallRow, call_line, calls_table, tally


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


def test_a_call_is_told_by_its_display() -> None:
    """What it is about says more than the name of its tool; no text in it steers the terminal."""
    row = CallRow.of(SUCCEEDED, "async", "Add \x1b[2J to " + "9" * 500)

    line = call_line(row)

    assert line.startswith("Add \ufffd[2J to 999")
    assert len(line.partition(" (call_1)")[0]) == MAX_DISPLAY


def test_tables_and_lines_speak_chinese() -> None:
    """Headings, states, sums and times; names stay as they are."""
    out = StringIO()
    row = CallRow.of(SUCCEEDED, "async")
    chinese = phrases_in("zh-CN")

    Console(file=out, width=100).print(calls_table([row], phrases=chinese))

    heading, first = out.getvalue().splitlines()
    assert heading.split() == ["工具", "调用", "通道", "尝试次数", "等待", "运行", "结果"]
    assert first.split() == ["add", "call_1", "async", "2", "0.25", "秒", "0.75", "秒", "成功"]
    assert call_line(row, chinese) == "add（call_1）：成功，尝试 2 次，运行 0.75 秒"  # noqa: RUF001 -- Chinese
    assert tally([REFUSED, SUCCEEDED], chinese) == "2 个调用，1 个成功，1 个失败"  # noqa: RUF001 -- Chinese


def test_the_tally_counts_successes_first() -> None:
    """The sum of a turn in one line."""
    assert tally([REFUSED, SUCCEEDED, SUCCEEDED]) == "3 calls, 2 succeeded, 1 failed"


@pytest.mark.parametrize(
    ("waits_for", "said"),
    [
        ("turn-1:3", "waiting for turn-1:3"),
        ("limit:2:account:7", "waiting: at most 2 at once for account:7"),
        ("", "waiting"),
    ],
)
def test_a_call_that_waits_says_for_whom(waits_for: str, said: str) -> None:
    """Another call by its key, a limit by its number and its key."""
    out = StringIO()
    row = CallRow(tool="t", call_id="c", lane="async", state="waiting", waits_for=waits_for)

    Console(file=out, width=120).print(calls_table([row]))

    assert out.getvalue().rstrip().endswith(said)
