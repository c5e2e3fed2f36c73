"""Views of a turn that is under way: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from toolferry.phrases import ENGLISH, Phrases
from toolferry_console.tables import CallRow, call_line, calls_table, state_counts

#: Lines of calls that fit on a small terminal.
ROWS_SHOWN: Final = 20


class View(Protocol):
    """Shows people how a turn goes."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def update(self, rows: Sequence[CallRow]) -> None:
        """Show how all calls stand now."""

    def ended(self, row: CallRow) -> None:
        """Tell that a call has ended."""

    def warn(self, sentence: str) -> None:
        """Tell what people should know while they wait."""


class LiveView:
    """A table that follows the calls and goes away when they have ended.

    Args:
        screen: A terminal.
        phrases: The language of who watches.
    """

    def __init__(self, screen: Console, phrases: Phrases = ENGLISH) -> None:
        self._phrases = phrases
        self._live = Live(console=screen, transient=True, refresh_per_second=8)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def update(self, rows: Sequence[CallRow]) -> None:
        """Draw the calls that fit, open ones first, and how many stand how."""
        shown = rows if len(rows) <= ROWS_SHOWN else sorted(rows, key=lambda row: row.ended)
        counts = Counter(row.state for row in rows)
        summary = self._phrases.join(state_counts(counts, self._phrases))
        table = calls_table(shown[:ROWS_SHOWN], phrases=self._phrases)
        self._live.update(Group(table, Text(summary, style="dim")))

    def ended(self, row: CallRow) -> None:
        """Say nothing: the table shows it."""

    def warn(self, sentence: str) -> None:
        """Print the sentence above the table."""
        self._live.console.print(Text(sentence, style="yellow"))


class LineView:
    """One plain line for each call that ends.

    Args:
        lines: Where the lines go.
        warnings: Where warnings go.
        phrases: The language of who watches.
    """

    def __init__(self, lines: Console, warnings: Console, phrases: Phrases = ENGLISH) -> None:
        self._phrases = phrases
        self._lines = lines
        self._warnings = warnings

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind."""

    def update(self, rows: Sequence[CallRow]) -> None:
        """Say nothing: only ends are told."""

    def ended(self, row: CallRow) -> None:
        """Print how the call ended."""
        self._lines.print(Text(call_line(row, self._phrases)), soft_wrap=True)

    def warn(self, sentence: str) -> None:
        """Print the sentence."""
        self._warnings.print(Text(sentence), soft_wrap=True)
