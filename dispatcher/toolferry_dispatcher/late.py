"""Late results: what a conversation still has to be told of calls that it went on without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolferry import (
    ConfigurationError,
    ResultFormat,
    ToolResult,
    render,
    split_call_key,
)
from toolferry_dispatcher.core import read_results
from toolferry_dispatcher.messages import late_output
from toolferry_dispatcher.meta import TurnMeta
from toolferry_dispatcher.providers import provider as provider_named
from toolferry_ledger import LateRecord, Ledger, confirm_late, read_late


@dataclass(frozen=True, slots=True, kw_only=True)
class LateResult:
    """The result of a call that its model was first told of as still running."""

    #: What that first answer named the call by; unique in the system.
    handle: str
    tenant: str
    conversation_id: str
    #: The provider's id of the call, which has its one tool message already.
    call_id: str
    #: The tool's name.
    name: str
    result: ToolResult
    #: Whose message format the conversation has.
    provider: str
    #: How the model reads the results of the tool.
    format: ResultFormat
    #: The message that answers the call, where its provider left it open; None where it took the
    #: first answer for the only one.
    output: Mapping[str, Any] | None = None

    def message(self) -> dict[str, Any]:
        """Write the result as a message to put behind the conversation, in its provider's format.

        The call has its tool message already, so this is another one, which says of which call it
        tells, and that no person wrote it. Only where its provider left the call open, this is its
        one answer.
        """
        if self.output is not None:
            return dict(self.output)
        return provider_named(self.provider).late(self._text())

    def _text(self) -> str:
        return (
            f"[Late tool result, not written by the user] {self.name} (call {self.call_id}, handle"
            f" {self.handle}) has ended:\n{render(self.result, self.format)}"
        )


def late_results(ledger: Ledger, tenant: str, conversation_id: str) -> list[LateResult]:
    """Read what a conversation has not been told yet; see `Dispatcher.late_results`."""
    _require_name(conversation_id)
    records = read_late(ledger, tenant, conversation_id)
    return [_read(record, tenant, conversation_id) for record in records]


def confirm(ledger: Ledger, late: Sequence[LateResult]) -> list[LateResult]:
    """Say that late results were taken; see `Dispatcher.confirm_late`."""
    fresh: set[str] = set()
    lists: dict[tuple[str, str], list[str]] = {}
    for one in late:
        lists.setdefault((one.tenant, one.conversation_id), []).append(one.handle)
    for (tenant, conversation_id), handles in lists.items():
        fresh |= confirm_late(ledger, tenant, conversation_id, handles)
    return [one for one in late if one.handle in fresh]


def _read(record: LateRecord, tenant: str, conversation_id: str) -> LateResult:
    turn_id, position = split_call_key(record.call_key)
    meta = TurnMeta.from_bytes(turn_id, record.meta)
    call = meta.calls[position]
    result = read_results(meta, {position: record.result})[position]
    return LateResult(
        handle=record.call_key,
        tenant=tenant,
        conversation_id=conversation_id,
        call_id=call.call_id,
        name=call.name,
        result=result,
        provider=meta.provider,
        format=ResultFormat(call.format),
        output=late_output(meta, call, result),
    )


def _require_name(conversation_id: str) -> None:
    if not conversation_id:
        raise ConfigurationError(
            "conversation_id", "is empty: name the conversation that was given to dispatch"
        )
