"""Tables and lines that people read; made of plain values, printed by others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rich.table import Table
from rich.text import Text

from toolferry import CallState, Outcome, ToolResult
from toolferry.legible import one_line
from toolferry.phrases import ENGLISH, Phrases
from toolferry_console.report import duration_seconds, queued_seconds
from toolferry_ledger import Suspect

#: A call that succeeded, one that is open, and one that ended otherwise.
_STYLES: Final = {"succeeded": "green", "queued": "dim", "waiting": "dim", "running": "cyan"}
_OTHERWISE: Final = "yellow"
#: The states in which a call may have to wait for another.
_WAITING: Final = frozenset({CallState.WAITING, CallState.QUEUED})
#: Characters of what a call is about, in a table or a line.
MAX_DISPLAY: Final = 80
#: Characters of a call's id; real ones stay below.
MAX_CALL_ID: Final = 200


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
    #: For whom it waits, as the ledger says; empty when for nobody.
    waits_for: str = ""
    #: What people read of the call; empty for the name of its tool.
    display: str = ""

    @property
    def ended(self) -> bool:
        """Whether the call has its outcome."""
        return self.state in set(Outcome)

    @classmethod
    def under_way(
        cls, tool: str, call_id: str, lane: str, call: Suspect, display: str = ""
    ) -> CallRow:
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
            waits_for=call.waits_for if call.state in _WAITING else "",
            display=display,
        )

    @classmethod
    def of(cls, result: ToolResult, lane: str, display: str = "") -> CallRow:
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
            display=display,
        )


#: The columns of a table of calls: the heading, and what a row has there.
_COLUMNS: Final[Mapping[str, Callable[[CallRow, Phrases], Text]]] = MappingProxyType(
    {
        "tool": lambda row, _: Text(_about(row)),
        "call": lambda row, _: Text(one_line(row.call_id, MAX_CALL_ID)),
        "lane": lambda row, _: Text(row.lane or "-"),
        "attempts": lambda row, _: Text(str(row.attempts), justify="right"),
        "waited": lambda row, phrases: Text(_seconds(row.waited, phrases), justify="right"),
        "ran": lambda row, phrases: Text(_seconds(row.ran, phrases), justify="right"),
        "outcome": lambda row, phrases: Text(
            standing(row, phrases), style=_STYLES.get(row.state, _OTHERWISE)
        ),
    }
)


def standing(row: CallRow, phrases: Phrases) -> str:
    """Say where a call stands, and for whom it waits."""
    state = phrases.word("state", row.state)
    _, _, limit = row.waits_for.partition("limit:")
    if limit:
        number, _, key = limit.partition(":")
        what = one_line(key, MAX_DISPLAY)
        return phrases.say("waits.limit", state=state, number=number, what=what)
    if row.waits_for:
        call = one_line(row.waits_for, MAX_CALL_ID)
        return phrases.say("waits.call", state=state, call=call)
    return state


def calls_table(
    rows: Iterable[CallRow],
    columns: Sequence[str] = tuple(_COLUMNS),
    phrases: Phrases = ENGLISH,
) -> Table:
    """Lay out calls, one a line.

    Args:
        rows: The calls.
        columns: Which, of: tool, call, lane, attempts, waited, ran, outcome.
        phrases: The language of the headings and states.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        heading = phrases.word("column", column)
        table.add_column(heading, no_wrap=column not in {"tool", "call"}, overflow="fold")
    for row in rows:
        table.add_row(*(_COLUMNS[column](row, phrases) for column in columns))
    return table


def call_line(row: CallRow, phrases: Phrases = ENGLISH) -> str:
    """Say in one plain line how a call ended."""
    said = [phrases.word("state", row.state), phrases.count("attempt", row.attempts)]
    if row.ran is not None:
        said.append(phrases.say("ran", seconds=_seconds(row.ran, phrases)))
    call_id = one_line(row.call_id, MAX_CALL_ID)
    return phrases.say("about", display=_about(row), call_id=call_id, said=phrases.join(said))


def tally(results: Sequence[ToolResult], phrases: Phrases = ENGLISH) -> str:
    """Count the outcomes, the successes first.

    >>> tally([])
    '0 calls'
    """
    counts: dict[str, int] = {}
    for result in sorted(results, key=lambda result: result.is_error):
        counts[result.outcome.value] = counts.get(result.outcome.value, 0) + 1
    return phrases.join([phrases.count("call", len(results)), *state_counts(counts, phrases)])


def state_counts(counts: Mapping[str, int], phrases: Phrases = ENGLISH) -> list[str]:
    """Say of each state how many calls stand there.

    >>> state_counts({"running": 2, "timed_out": 1})
    ['2 running', '1 timed_out']
    """
    return [
        phrases.say("tally", number=number, state=phrases.word("state", state))
        for state, number in counts.items()
    ]


def _about(row: CallRow) -> str:
    return one_line(row.display or row.tool, MAX_DISPLAY)


def _seconds(value: float | None, phrases: Phrases) -> str:
    return "-" if value is None else phrases.seconds(value)
