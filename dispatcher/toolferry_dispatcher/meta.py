"""What a dispatcher keeps with a turn, so that any process can gather it and write its messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolferry import SCHEMA_VERSION
from toolferry.record import record
from toolferry_ledger import Pool, read_json, write_json


@record(frozen=True, slots=True)
class CallMeta:
    """How one call is answered."""

    call_id: str
    name: str
    #: How its result is written for the model: a `ResultFormat`.
    format: str
    pool: Pool
    #: Seconds from the request in which it must end; 0 when it was answered at once.
    deadline: float
    #: Seconds from the request after which the model is told that it still runs; None for never.
    answer_within: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMeta:
    """A turn as its dispatcher knows it."""

    turn_id: str
    #: Whose message format.
    provider: str
    #: The `ReplyKind` of the response.
    kind: str
    #: The assistant message as received.
    message: Mapping[str, Any]
    text: str = ""
    calls: tuple[CallMeta, ...] = ()
    conversation_id: str = ""
    #: Whose data its calls touch; empty in the records of releases that did not keep it.
    tenant: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    #: When it was asked for, in seconds of the server's clock; 0 when nobody needs to know.
    requested_at: float = 0.0
    #: Message and text, encrypted for this turn; empty when it has no secrets. Then they are not
    #: written, and empty in what is read, see `discreet.open_message`.
    sealed: str = ""

    def to_bytes(self) -> bytes:
        """Give the JSON text that the ledger keeps."""
        return write_json(
            {
                "schema_version": SCHEMA_VERSION,
                # First, where the ledger finds it when a call ends late.
                "conversation_id": self.conversation_id,
                "provider": self.provider,
                "kind": self.kind,
                **(
                    {"sealed": self.sealed}
                    if self.sealed
                    else {"message": self.message, "text": self.text}
                ),
                "calls": [_call_row(call) for call in self.calls],
                "tenant": self.tenant,
                "labels": dict(self.labels),
                "requested_at": self.requested_at,
            }
        )

    @classmethod
    def from_bytes(cls, turn_id: str, text: bytes) -> TurnMeta:
        """Read the JSON text of this release, or of one that knew no `answer_within`."""
        data = read_json(text)
        calls = tuple(
            CallMeta(call_id, name, form, Pool.read(pool), deadline, *more[:1])
            for call_id, name, form, pool, deadline, *more in data["calls"]
        )
        return cls(
            turn_id=turn_id,
            provider=data["provider"],
            kind=data["kind"],
            message=data.get("message", {}),
            text=data.get("text", ""),
            sealed=data.get("sealed", ""),
            calls=calls,
            conversation_id=data["conversation_id"],
            tenant=data.get("tenant", ""),
            labels=data["labels"],
            requested_at=data.get("requested_at", 0.0),
        )


def _call_row(call: CallMeta) -> list[Any]:
    """Write a call; what it need not say it leaves out, so that the last release can read it."""
    row = [call.call_id, call.name, call.format, str(call.pool), call.deadline]
    return row if call.answer_within is None else [*row, call.answer_within]
