"""What is asked of people about a call, and what they decide. Plain frozen values."""

from __future__ import annotations

import uuid
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
    """What a person has decided about a call; the record keeps the one that counted."""

    approved: bool
    who: str
    #: Server time, seconds since the epoch.
    at: float
    #: Why; may be empty.
    reason: str = ""
    #: Whether a token or the application vouched for that person.
    verified: bool = False
    #: How many more people have to say yes before the call goes on.
    wants: int = 0
    #: The id of the standing approval that it comes of, and when that was given: server time,
    #: seconds since the epoch; empty and None when the person said so now.
    standing: str = ""
    allowed_at: float | None = None
    #: Tells this decision from one that the same person made at the same moment.
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def to_bytes(self) -> bytes:
        """Give the JSON text that the call's record keeps."""
        return write_json({"schema_version": SCHEMA_VERSION, **self.to_json(), "token": self.token})

    @classmethod
    def from_bytes(cls, text: bytes) -> Decision:
        """Read the JSON text of this release or of a newer one with more keys."""
        data = read_json(text)
        known = {name: data[name] for name in ("approved", "who", "at", "reason", "token")}
        return cls(
            **known,
            verified=data.get("verified", False),
            standing=data.get("standing", ""),
            allowed_at=data.get("allowed_at"),
        )

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "approved": self.approved,
            "who": self.who,
            "at": self.at,
            "reason": self.reason,
            "verified": self.verified,
            "wants": self.wants,
            **({"standing": self.standing, "allowed_at": self.allowed_at} if self.standing else {}),
        }

    def __str__(self) -> str:
        what = "approved" if self.approved else "denied"
        when = datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        more = f"; {self.wants} more have to approve it" if self.wants else ""
        by = f" by the standing approval {self.standing}" if self.standing else ""
        return f"{what} by {self.who} at {when}{by}{more}"


def denied(spec: Spec, suspect: Suspect, decision: Decision) -> Settlement:
    """End a call that a person has denied; nothing of it was run.

    Args:
        spec: The call as it was signed.
        suspect: The call as it waits.
        decision: The denial; its reason reaches the model as it is.
    """
    why = f": {decision.reason}" if decision.reason else ""
    message = f"A person denied this call of {spec.name}{why}."
    result = _denial(spec, suspect, message, decision.at)
    return Settlement(
        suspect.call_key,
        suspect.fence,
        CallState.DENIED,
        result_text(result),
        seen=CallState.AWAITING_APPROVAL,
        note=decision.to_bytes(),
        decided=True,
    )


def undecided(spec: Spec, suspect: Suspect) -> Settlement:
    """End a call about which nobody has decided in the time that its tool gives people for it."""
    result = _denial(
        spec,
        suspect,
        f"Nobody decided about this call of {spec.name} within {spec.terms.seconds:g} s, so it was"
        " not run.",
        suspect.now,
    )
    return Settlement(
        suspect.call_key,
        suspect.fence,
        CallState.DENIED,
        result_text(result),
        seen=CallState.AWAITING_APPROVAL,
    )


def _denial(spec: Spec, suspect: Suspect, message: str, at: float) -> ToolResult:
    return ToolResult(
        call_id=spec.call_id,
        name=spec.name,
        outcome=Outcome.DENIED,
        effect=Effect.NONE,
        error=CallError.of(ErrorCode.DENIED, message),
        changes=spec.changes,
        repairs=spec.repairs,
        requested_at=suspect.requested_at,
        finished_at=at,
    )
