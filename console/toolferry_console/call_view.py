"""One call under way, as a line on a terminal, and what it ended with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Self

from rich.console import Console
from rich.text import Text

from toolferry import CallState, ToolResult
from toolferry.legible import legible
from toolferry.phrases import ENGLISH, Phrases
from toolferry_console.tables import CallRow, standing
from toolferry_ledger import Progress


class CallView:
    """A line that follows one call and goes away when it has ended; a `View`.

    Args:
        screen: A terminal.
        read_progress: Gives what the handler reported last.
        phrases: The language of who watches.
    """

    def __init__(
        self,
        screen: Console,
        read_progress: Callable[[], Progress | None],
        phrases: Phrases = ENGLISH,
    ) -> None:
        self._screen = screen
        self._phrases = phrases
        self._read_progress = read_progress
        self._status = screen.status("")

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def update(self, rows: Sequence[CallRow]) -> None:
        """Say how the call stands and what its handler reports."""
        for row in rows:
            runs = row.state == CallState.RUNNING
            progress = self._read_progress() if runs else None
            self._status.update(Text(under_way(row, progress, self._phrases)))

    def ended(self, row: CallRow) -> None:
        """Say nothing: its result is printed."""

    def warn(self, sentence: str) -> None:
        """Print the sentence above the line."""
        self._screen.print(Text(sentence, style="yellow"), soft_wrap=True)


def under_way(row: CallRow, progress: Progress | None = None, phrases: Phrases = ENGLISH) -> str:
    """Say in one line how a call stands.

    >>> row = CallRow(tool="notes_find", call_id="c", lane="async", state="running", attempts=1,
    ...     ran=2.5)
    >>> under_way(row, Progress(0.4, "reading"))
    'notes_find: running, 1 attempt, 2.5 s, 40 %, reading'
    """
    seconds = row.waited if row.ran is None else row.ran
    parts = [
        f"{row.display or row.tool}: {standing(row, phrases)}",
        phrases.count("attempt", row.attempts) if row.attempts else "",
        "" if seconds is None else f"{seconds:.1f} s",
        *(() if progress is None else _reported(progress)),
    ]
    return ", ".join(part for part in parts if part)


def _reported(progress: Progress) -> tuple[str, str]:
    part = "" if progress.fraction is None else f"{100 * progress.fraction:.0f} %"
    return part, legible(progress.message)


def content_text(result: ToolResult) -> str:
    """Give what a tool returned as people read it: text as it is, anything else as JSON."""
    if isinstance(result.content, str):
        return result.content
    return json.dumps(result.content, ensure_ascii=False, indent=2)
