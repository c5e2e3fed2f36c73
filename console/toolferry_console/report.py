"""The report: what became of a turn, as `toolferry run` tells it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolferry import SCHEMA_VERSION, ToolResult, view_of
from toolferry_console.exit_codes import ExitCode
from toolferry_dispatcher import TurnState


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of one turn."""

    turn_id: str
    state: TurnState
    #: Those that are there, in the model's order.
    results: Sequence[ToolResult] = ()
    #: What the conversation goes on with; empty while calls are open.
    messages: Sequence[Mapping[str, Any]] = ()
    #: Whether a call waits for a person's decision.
    approvals_pending: bool = False
    #: The language of the views, as BCP 47.
    locale: str = "en"

    @property
    def exit_code(self) -> ExitCode:
        """The code that tells a script how it went."""
        if self.state is TurnState.FINAL:
            return ExitCode.OK
        if self.approvals_pending:
            return ExitCode.APPROVALS_PENDING
        succeeded = not any(result.is_error for result in self.results)
        if self.state is TurnState.COMPLETE and succeeded:
            return ExitCode.OK
        return ExitCode.NOT_ALL_SUCCEEDED

    def to_json(self) -> dict[str, Any]:
        """Give the object that `--json` prints."""
        return {
            "schema_version": SCHEMA_VERSION,
            "turn_id": self.turn_id,
            "state": self.state.value,
            "results": [_result_to_json(result, self.locale) for result in self.results],
            "messages": [dict(message) for message in self.messages],
        }


def _result_to_json(result: ToolResult, locale: str) -> dict[str, Any]:
    return {
        "call_id": result.call_id,
        "name": result.name,
        "outcome": result.outcome.value,
        "effect": result.effect.value,
        "attempts": result.attempts,
        "duration_seconds": duration_seconds(result),
        "queued_seconds": queued_seconds(result),
        "content": result.content,
        "view": view_of(result, locale),
        "truncated": result.truncated,
        "error": None if result.error is None else result.error.to_json(),
        # Only where something was put right: scripts know the other keys.
        **({"repairs": list(result.repairs)} if result.repairs else {}),
    }


def duration_seconds(result: ToolResult) -> float:
    """How long the last attempt ran; 0 when none did."""
    if result.started_at is None:
        return 0.0
    return round(max(0.0, result.finished_at - result.started_at), 3)


def queued_seconds(result: ToolResult) -> float:
    """How long the call was on its way before its last attempt, earlier attempts included."""
    until = result.finished_at if result.started_at is None else result.started_at
    return round(max(0.0, until - result.requested_at), 3)
