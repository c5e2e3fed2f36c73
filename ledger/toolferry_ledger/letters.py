"""What is told of calls that have ended: dead letters, their attempts, their replays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolferry import CallState, Effect, Outcome, ToolferryError, ToolResult
from toolferry_ledger.spec import Spec


class CallUnknown(ToolferryError):
    """The ledger does not have a call."""

    #: What may have become of it.
    reason = "the ledger does not have it: it has expired, or was refused before it could run"

    def __init__(self, call_key: str) -> None:
        super().__init__(call_key)
        self.call_key = call_key

    def __str__(self) -> str:
        return f"call {self.call_key}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterFilter:
    """Which dead letters are meant; what is None leaves none out."""

    tool: str | None = None
    #: The code of the error.
    code: str | None = None
    #: Seconds since the end, at least and at most.
    older_than: float | None = None
    newer_than: float | None = None
    #: Whether those count too that a replay has settled.
    settled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A call that ended without success, kept for people."""

    call_key: str
    tool: str
    tenant: str
    #: Server time, seconds since the epoch.
    ended_at: float
    #: What was recorded for it; the model's answer, and it stays that.
    result: ToolResult
    #: The calls by which people repeated it, the oldest first.
    replays: tuple[str, ...] = ()
    #: The replay that succeeded; empty when none did.
    settled_by: str = ""

    @property
    def code(self) -> str:
        """The code of its error."""
        return self.result.error.code if self.result.error else ""

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        error = self.result.error
        return {
            "call": self.call_key,
            "tool": self.tool,
            "tenant": self.tenant,
            "ended_at": self.ended_at,
            "outcome": self.result.outcome.value,
            "effect": self.result.effect.value,
            "attempts": self.result.attempts,
            "error": None if error is None else error.to_json(),
            "replays": list(self.replays),
            "settled_by": self.settled_by or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PastAttempt:
    """One attempt as the history of its call has it."""

    #: The worker that made it; `-` when that is not known.
    worker: str
    attempt: int
    #: Server times, seconds since the epoch.
    started_at: float | None
    ended_at: float
    outcome: Outcome
    #: Why it did not succeed; empty when it did.
    code: str
    message: str
    #: Whether it ended after its call had been told to be over; then it changed nothing.
    late: bool

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "attempt": self.attempt,
            "worker": self.worker,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "outcome": self.outcome.value,
            "code": self.code or None,
            "message": self.message or None,
            "late": self.late,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One repetition of a call by people."""

    call_key: str
    #: None when its record is not kept any more.
    state: CallState | None
    #: None while it is open, and when it is not kept any more.
    result: ToolResult | None

    @property
    def is_open(self) -> bool:
        """Whether it still has to end."""
        return self.state is not None and self.state.is_open

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "call": self.call_key,
            "state": None if self.state is None else self.state.value,
            "result": None if self.result is None else self.result.to_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStory:
    """All that is known of one call."""

    call_key: str
    tool: str
    tenant: str
    state: CallState
    #: Server time, seconds since the epoch.
    requested_at: float
    #: What it was to do; None when its record cannot be believed.
    spec: Spec | None
    #: Attempts in the order of their ends; a first one that succeeded leaves none.
    attempts: tuple[PastAttempt, ...]
    #: None while it is open, and when the result is not kept any more.
    result: ToolResult | None
    replays: tuple[Replay, ...]
    #: Where it goes: route, `w:` or `r:` and its resource, `limit:key`; the latter may be empty.
    route: str
    resource: str = ""
    cap: str = ""
    #: `limit/milliseconds:key`; empty when there is none.
    rate: str = ""
    #: The call that it repeats; empty for a model's own.
    replay_of: str = ""
    #: The replay of it that succeeded; empty when none did.
    settled_by: str = ""
    #: Whether it is a dead letter, or was one until a replay settled it.
    dead: bool = False

    @property
    def effects(self) -> frozenset[Effect]:
        """What is known of the effects of the call and of its replays.

        What is not known is `POSSIBLE`; replays that have not ended are left out.
        """
        ended = [replay.result for replay in self.replays if not replay.is_open]
        results = [self.result, *ended]
        return frozenset(Effect.POSSIBLE if one is None else one.effect for one in results)

    def to_json(self, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
        """Give the JSON form.

        Args:
            arguments: Those of the call, as far as they may be shown.
        """
        return {
            "call": self.call_key,
            "tool": self.tool,
            "tenant": self.tenant,
            "conversation_id": self.spec.conversation_id if self.spec else None,
            "state": self.state.value,
            "requested_at": self.requested_at,
            "arguments": None if arguments is None else dict(arguments),
            "attempts": [attempt.to_json() for attempt in self.attempts],
            "result": None if self.result is None else self.result.to_json(),
            "replays": [replay.to_json() for replay in self.replays],
            "replay_of": self.replay_of or None,
            "settled_by": self.settled_by or None,
            "dead": self.dead,
        }
