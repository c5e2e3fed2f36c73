"""Events of a worker's log, as a person reads them."""

from __future__ import annotations

import json
from datetime import datetime
from textwrap import indent, shorten
from typing import Any, Final

#: What is not shown as a key: it stands in front, or, as the call's key, says nothing new.
_FIXED: Final = frozenset(
    {"event", "level", "timestamp", "logger", "call_key", "exception", "schema_version"}
)
#: Columns of most events' names.
_EVENT_WIDTH: Final = 18
#: Characters of a value that are shown, on one line.
_LONGEST_VALUE: Final = 200


def readable(line: str) -> str:
    """Turn a line of JSON into words; give any other line back as it is.

    A traceback follows on lines of its own.

    >>> readable('{"event": "call.succeeded", "level": "info", "tool": "add", "attempt": 1}')
    'call.succeeded     tool=add attempt=1'
    >>> readable("Traceback (most recent call last):")
    'Traceback (most recent call last):'
    """
    event = _event_of(line)
    if event is None:
        return line
    parts = [
        _time_of(event.get("timestamp")),
        "" if event.get("level") in {"info", "debug"} else str(event.get("level", "")).upper(),
        f"{event['event']:<{_EVENT_WIDTH}}",
        " ".join(f"{key}={_text(value)}" for key, value in event.items() if key not in _FIXED),
    ]
    words = " ".join(part for part in parts if part).rstrip()
    traceback = event.get("exception")
    return f"{words}\n{indent(traceback, '  ')}" if isinstance(traceback, str) else words


def _event_of(line: str) -> dict[str, Any] | None:
    if not line.startswith("{"):
        return None
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None


def _time_of(stamp: object) -> str:
    """Give the local time of day of an ISO time; nothing for anything else."""
    try:
        return f"{datetime.fromisoformat(str(stamp)).astimezone():%H:%M:%S}"
    except ValueError:
        return ""


def _text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shorten(text, _LONGEST_VALUE, placeholder=" …")
