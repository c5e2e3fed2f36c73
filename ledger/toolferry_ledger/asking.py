"""What is asked of people about calls that wait for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolferry import CallState, Tool
from toolferry.masking import hide_arguments, mask_arguments
from toolferry_ledger.records import Suspect
from toolferry_ledger.spec import Spec


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingApproval:
    """A call about which a person has to decide; holds no secret that its tool knows of."""

    call_key: str
    #: What is asked, in one line: the tool's display, filled with the arguments.
    preview: str
    #: The arguments, without the secret ones; none of them when nobody knows the tool.
    arguments: Mapping[str, Any]
    #: Why a person has to decide.
    why: str
    #: Server times, seconds since the epoch: since when it waits, and when it ends by itself.
    since: float
    until: float
    #: The people who have approved it already, where more than one has to.
    approved_by: tuple[str, ...]
    #: The call as it was signed: may hold secrets.
    spec: Spec

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "call": self.call_key,
            "tool": self.spec.name,
            "preview": self.preview,
            "arguments": dict(self.arguments),
            "principal": self.spec.context.principal,
            "tenant": self.spec.context.tenant,
            "conversation_id": self.spec.conversation_id,
            "why": self.why,
            "terms": self.spec.terms.to_json(),
            "approved_by": list(self.approved_by),
            "since": self.since,
            "until": self.until,
        }


def ask(
    suspect: Suspect, spec: Spec, tool: Tool | None, approved_by: tuple[str, ...]
) -> PendingApproval:
    """Say what is asked about a call that waits."""
    return PendingApproval(
        call_key=suspect.call_key,
        preview=tool.describe(spec.arguments, spec.context.locale) if tool else spec.name,
        arguments=mask_arguments(tool.parameters, spec.arguments)
        if tool
        else hide_arguments(spec.arguments),
        why=spec.approval,
        since=suspect.requested_at,
        until=decide_by(suspect, spec),
        approved_by=approved_by,
        spec=spec,
    )


def decide_by(suspect: Suspect, spec: Spec) -> float:
    """Give the server time by which a call has to be decided, seconds since the epoch."""
    return min(suspect.deadline_at, suspect.requested_at + spec.terms.seconds)


def can_be_decided(suspect: Suspect, spec: Spec) -> bool:
    """Tell whether a call still waits for a person."""
    waits = suspect.state is CallState.AWAITING_APPROVAL
    return waits and suspect.now < decide_by(suspect, spec)
