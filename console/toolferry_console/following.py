"""Following a turn to its end: reads what is known again and again and shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Final

from toolferry import LedgerUnavailable, ToolResult, call_key
from toolferry_console.tables import CallRow
from toolferry_console.views import ROWS_SHOWN, View
from toolferry_dispatcher import TurnHandle
from toolferry_ledger import Ledger, Suspect

#: Seconds between two looks at calls that are under way.
LOOK_EVERY: Final = 0.25


class Follower:
    """Follows one turn.

    Args:
        handle: The turn.
        ledger: Where calls that are under way are looked up.
        known_tools: The names of the tools there are; a call of another one has no lane.
        displays: For each call what people read of it; their tools' names when empty.
    """

    def __init__(
        self,
        handle: TurnHandle,
        ledger: Ledger,
        known_tools: Collection[str],
        displays: Sequence[str] = (),
    ) -> None:
        self._displays = displays or [call.name for call in handle.meta.calls]
        self._handle = handle
        self._ledger = ledger
        self._known_tools = known_tools
        self._told: set[int] = set()
        self._warned = 0

    def follow(self, view: View, timeout: float | None, check: Callable[[], None]) -> None:
        """Show the turn until every call has ended.

        Args:
            view: Where.
            timeout: Seconds to follow at the most; None for as long as the deadlines allow.
            check: Called at every look; what it raises ends the following.
        """
        give_up_at = time.monotonic() + self._handle.patience(timeout)
        while True:
            # Asked before the results are read: what ends after that, the next round shows.
            done = self._handle.watch.is_over
            self._show(view)
            left = give_up_at - time.monotonic()
            if done or left <= 0:
                return
            check()
            self._handle.wait_news(set(self._told), min(LOOK_EVERY, left))

    def rows(self) -> list[CallRow]:
        """Give every call of the turn as a row, in the model's order."""
        return self._rows(self._read())

    def _rows(self, known: Mapping[int, ToolResult]) -> list[CallRow]:
        under_way = self._look(known)
        return [self._row(at, known, under_way) for at in range(len(self._handle.meta.calls))]

    def _show(self, view: View) -> None:
        known = self._read()
        fresh = sorted(known.keys() - self._told, key=lambda at: known[at].finished_at)
        self._told.update(fresh)
        for at in fresh:
            view.ended(self._row(at, known, {}))
        for sentence in self._handle.warnings[self._warned :]:
            self._warned += 1
            view.warn(sentence)
        view.update(self._rows(known))

    def _read(self) -> Mapping[int, ToolResult]:
        # A server that is away for a moment is told as a warning; the turn goes on when it is back.
        with suppress(LedgerUnavailable):
            return dict(self._handle.read_ended())
        return {}

    def _look(self, known: Mapping[int, ToolResult]) -> dict[int, Suspect]:
        """Look up as many open calls as are shown."""
        positions = [at for at in range(len(self._handle.meta.calls)) if at not in known]
        found: dict[int, Suspect] = {}
        with suppress(LedgerUnavailable):
            for at in positions[:ROWS_SHOWN]:
                call = self._ledger.inspect_call(call_key(self._handle.turn_id, at))
                if call is not None:
                    found[at] = call
        return found

    def _row(
        self, at: int, known: Mapping[int, ToolResult], under_way: Mapping[int, Suspect]
    ) -> CallRow:
        call = self._handle.meta.calls[at]
        lane = call.pool.lane.value if call.name in self._known_tools else ""
        display = self._displays[at]
        if at in known:
            return CallRow.of(known[at], lane, display)
        if at in under_way:
            return CallRow.under_way(call.name, call.call_id, lane, under_way[at], display)
        return CallRow(
            tool=call.name, call_id=call.call_id, lane=lane, state="open", display=display
        )
