"""What people see while the calls of a turn run."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from toolferry.phrases import phrases_in
from toolferry_console.tables import CallRow
from toolferry_console.views import ROWS_SHOWN, LineView, LiveView


def a_row(number: int, state: str) -> CallRow:
    """Make the row of a call."""
    return CallRow(tool="wait", call_id=f"call_{number}", lane="async", state=state)


def test_without_a_terminal_each_end_is_one_line() -> None:
    """A log file gets lines, never control codes."""
    lines, warnings = StringIO(), StringIO()

    with LineView(Console(file=lines), Console(file=warnings)) as view:
        view.update([a_row(1, "running")])
        view.ended(a_row(1, "succeeded"))
        view.warn("No worker is alive for the async lane.")

    assert lines.getvalue() == "wait (call_1): succeeded, 0 attempts\n"
    assert warnings.getvalue() == "No worker is alive for the async lane.\n"


def test_on_a_terminal_people_read_their_language() -> None:
    """The table and the sum of the states."""
    shown = StringIO()
    screen = Console(file=shown, force_terminal=True, width=100, height=40)

    with LiveView(screen, phrases_in("zh")) as view:
        view.update([a_row(1, "running"), a_row(2, "queued")])

    assert "1 个运行中，1 个排队中" in shown.getvalue()  # noqa: RUF001 -- Chinese
    assert "尝试次数" in shown.getvalue()


def test_on_a_terminal_the_open_calls_are_shown_first() -> None:
    """Of more calls than fit, those that still run are the ones to see."""
    shown = StringIO()
    screen = Console(file=shown, force_terminal=True, width=100, height=40)
    ended = [a_row(number, "succeeded") for number in range(ROWS_SHOWN)]

    with LiveView(screen) as view:
        view.update([*ended, a_row(99, "running")])
        view.warn("still trying")

    assert "call_99" in shown.getvalue()
    assert f"{ROWS_SHOWN} succeeded, 1 running" in shown.getvalue()
    assert f"call_{ROWS_SHOWN - 1} " not in shown.getvalue()
    assert "still trying" in shown.getvalue()
