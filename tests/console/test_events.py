"""A worker's log, made readable."""

from __future__ import annotations

import json

import pytest

from toolferry_console.events import readable


def test_an_event_reads_as_words() -> None:
    """The time of day, the event, then its keys."""
    line = json.dumps(
        {
            "tool": "add",
            "attempts": 2,
            "event": "call.succeeded",
            "level": "info",
            "timestamp": "2026-01-02T03:04:05.678Z",
        }
    )

    time, _, rest = readable(line).partition(" ")

    assert time.endswith(":04:05")
    assert rest.split() == ["call.succeeded", "tool=add", "attempts=2"]


def test_a_warning_is_marked() -> None:
    """What is not normal stands out."""
    assert readable('{"event": "lease.lost", "level": "warning"}') == "WARNING lease.lost"


@pytest.mark.parametrize(
    "line", ["", "{half", "[1]", '{"a": 1}', "worker: Warm shutdown", '{"event": 3}']
)
def test_any_other_line_stays_as_it_is(line: str) -> None:
    """What handlers print is shown untouched."""
    assert readable(line) == line


def test_a_traceback_keeps_its_lines() -> None:
    """A developer sees at once where a handler raised."""
    line = json.dumps({"event": "handler.raised", "level": "info", "exception": "Traceback\n  x"})

    assert readable(line).splitlines() == ["handler.raised", "  Traceback", "    x"]


def test_a_long_value_is_shortened_to_one_line() -> None:
    """One event cannot fill the screen."""
    line = json.dumps({"event": "library.said", "level": "info", "message": "a\n\nb " * 500})

    shown = readable(line)

    assert len(shown.splitlines()) == 1
    assert shown.endswith(" …")
