"""What is asked of people about a call, and what they decide. Plain frozen values."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from toolferry import (
    SCHEMA_VERSION,
    CallError,
    CallState,
    Effect,
    ErrorCode,
    Outcome,
    ToolferryError,
    ToolResult,
)
from toolferry_ledger.endings import result_text
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.records import Settlement, Suspect
from toolferry_ledger.spec import Spec


class DecisionRefused(ToolferryError):
    """A person's decision about a call was not taken; it changed nothing."""

    def __init__(self, call_key: str, reason: str) -> None:
        super().__init__(call_key, reason)
        self.call_key = call_key
        #: Why, such as who has decided already.
        self.reason = reason

    def __str__(self) -> str:
        return f"call {self.call_key}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person has decided about a call; there is one for each call."""

    approved: bool
    who: str
    #: Server time, seconds since the epoch.
    at: float
    #: Why, of a denial; may be empty.
    reason: str = ""
    #: Tells this decision from one that the same person made at the same moment.
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def to_bytes(self) -> bytes:
        """Give the JSON text that the call's record keeps."""
        return write_json({"schema_version": SCHEMA_VERSION, **self.to_json(), "token": self.token})

    @classmethod
    def from_bytes(cls, text: bytes) -> Decision:
        """Read the JSON text of this release or of a newer one with more keys."""
        data = read_json(text)
        return cls(**{name: data[name] for name in ("approved", "who", "at", "reason", "token")})

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "approved": self.approved,
            "who": self.who,
            "at": self.at,
            "reason": self.reason,
        }

    def __str__(self) -> str:
        what = "approved" if self.approved else "denied"
        when = datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        return f"{what} by {self.who} at {when}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingApproval:
    """A call about which a person has to decide."""

    call_key: str
    #: What it is to do, as it was signed.
    spec: Spec
    #: Server times, seconds since the epoch: since when it waits, and when it ends by itself.
    since: float
    deadline_at: float

    def to_json(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Give the JSON form.

        Args:
            arguments: Those of the call, as far as they may be shown.
        """
        return {
            "call": self.call_key,
            "tool": self.spec.name,
            "arguments": dict(arguments),
            "principal": self.spec.context.principal,
            "tenant": self.spec.context.tenant,
            "conversation_id": self.spec.conversation_id,
            "why": self.spec.approval,
            "since": self.since,
            "deadline_at": self.deadline_at,
        }


def denied(spec: Spec, suspect: Suspect, decision: Decision) -> Settlement:
    """End a call that a person has denied; nothing of it was run.

    Args:
        spec: The call as it was signed.
        suspect: The call as it waits.
        decision: The denial; its reason reaches the model as it is.
    """
    why = f": {decision.reason}" if decision.reason else ""
    result = ToolResult(
        call_id=spec.call_id,
        name=spec.name,
        outcome=Outcome.DENIED,
        effect=Effect.NONE,
        error=CallError.of(ErrorCode.DENIED, f"A person denied this call of {spec.name}{why}."),
        changes=spec.changes,
        requested_at=suspect.requested_at,
        finished_at=decision.at,
    )
    return Settlement(
        suspect.call_key,
        suspect.fence,
        CallState.DENIED,
        result_text(result),
        seen=CallState.AWAITING_APPROVAL,
        note=decision.to_bytes(),
        decided=True,
    )
