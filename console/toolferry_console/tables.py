"""Tables and lines that people read; made of plain values, printed by others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rich.table import Table
from rich.text import Text

from toolferry import Outcome, ToolResult
from toolferry_console.report import duration_seconds, queued_seconds
from toolferry_ledger import Suspect

#: A call that succeeded, one that is open, and one that ended otherwise.
_STYLES: Final = {"succeeded": "green", "queued": "dim", "waiting": "dim", "running": "cyan"}
_OTHERWISE: Final = "yellow"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """One call as a line of a table: open, or ended."""

    tool: str
    call_id: str
    #: Empty when the tool is not known.
    lane: str
    #: An open state, or an outcome.
    state: str
    attempts: int = 0
    #: Seconds; None while not known.
    waited: float | None = None
    ran: float | None = None

    @property
    def ended(self) -> bool:
        """Whether the call has its outcome."""
        return self.state in set(Outcome)

    @classmethod
    def under_way(cls, tool: str, call_id: str, lane: str, call: Suspect) -> CallRow:
        """Make the row of a call that is still open."""
        started = call.started_at
        return cls(
            tool=tool,
            call_id=call_id,
            lane=lane,
            state=call.state.value,
            attempts=call.attempt,
            waited=(call.now if started is None else started) - call.requested_at,
            ran=None if started is None else call.now - started,
        )

    @classmethod
    def of(cls, result: ToolResult, lane: str) -> CallRow:
        """Make the row of a call that has ended."""
        started = result.started_at is not None
        return cls(
            tool=result.name,
            call_id=result.call_id,
            lane=lane,
            state=result.outcome.value,
            attempts=result.attempts,
            waited=queued_seconds(result) if started else None,
            ran=duration_seconds(result) if started else None,
        )


#: The columns of a table of calls: the heading, and what a row has there.
_COLUMNS: Final[Mapping[str, Callable[[CallRow], Text]]] = MappingProxyType(
    {
        "tool": lambda row: Text(row.tool),
        "call": lambda row: Text(row.call_id),
        "lane": lambda row: Text(row.lane or "-"),
        "attempts": lambda row: Text(str(row.attempts), justify="right"),
        "waited": lambda row: Text(_seconds(row.waited), justify="right"),
        "ran": lambda row: Text(_seconds(row.ran), justify="right"),
        "outcome": lambda row: Text(row.state, style=_STYLES.get(row.state, _OTHERWISE)),
    }
)


def calls_table(rows: Iterable[CallRow], columns: Sequence[str] = tuple(_COLUMNS)) -> Table:
    """Lay out calls, one a line.

    Args:
        rows: The calls.
        columns: The headings, of: tool, call, lane, attempts, waited, ran, outcome.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in columns:
        table.add_column(heading, no_wrap=heading not in {"tool", "call"}, overflow="fold")
    for row in rows:
        table.add_row(*(_COLUMNS[heading](row) for heading in columns))
    return table


def call_line(row: CallRow) -> str:
    """Say in one plain line how a call ended."""
    attempts = "1 attempt" if row.attempts == 1 else f"{row.attempts} attempts"
    ran = "" if row.ran is None else f", ran {_seconds(row.ran)}"
    return f"{row.tool} ({row.call_id}): {row.state}, {attempts}{ran}"


def tally(results: Sequence[ToolResult]) -> str:
    """Count the outcomes, the successes first.

    >>> tally([])
    '0 calls'
    """
    counts: dict[str, int] = {}
    for result in sorted(results, key=lambda result: result.is_error):
        counts[result.outcome.value] = counts.get(result.outcome.value, 0) + 1
    noun = "call" if len(results) == 1 else "calls"
    parts = [f"{len(results)} {noun}", *(f"{n} {outcome}" for outcome, n in counts.items())]
    return ", ".join(parts)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f} s"
