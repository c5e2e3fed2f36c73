"""English."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Where a call stands, and how it ended: the words of the glossary.
        "state.open": "open",
        "state.waiting": "waiting",
        "state.awaiting_approval": "awaiting_approval",
        "state.queued": "queued",
        "state.running": "running",
        "state.retrying": "retrying",
        "state.succeeded": "succeeded",
        "state.failed": "failed",
        "state.timed_out": "timed_out",
        "state.cancelled": "cancelled",
        "state.denied": "denied",
        "state.lost": "lost",
        # For whom a call waits: another call, or a limit on calls at once.
        "waits.call": "{state} for {call}",
        "waits.limit": "{state}: at most {number} at once for {what}",
        # What has become of a turn.
        "turn.complete": "complete",
        "turn.pending": "pending",
        "turn.final": "final",
        "turn.degenerate": "degenerate",
        "turn.incomplete": "incomplete",
        "turn.refused": "refused",
        "turn.provider_error": "provider error",
        # The headings of a table of calls.
        "column.tool": "tool",
        "column.call": "call",
        "column.lane": "lane",
        "column.attempts": "attempts",
        "column.waited": "waited",
        "column.ran": "ran",
        "column.outcome": "outcome",
        # Lines and sums.
        "attempt.one": "{number} attempt",
        "attempt.many": "{number} attempts",
        "call.one": "{number} call",
        "call.many": "{number} calls",
        "tally": "{number} {state}",
        "ran": "ran {seconds}",
        "seconds": "{seconds} s",
        "comma": ", ",
        "about": "{display} ({call_id}): {said}",
        "summary": "turn {turn_id}: {said}",
        # What is said of a result that has no view of its own.
        "view.none": "no content",
        "view.cut": "{content} (cut)",
    }
)
