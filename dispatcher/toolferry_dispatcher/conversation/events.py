"""The events of a conversation, for whoever shows it to people."""

from __future__ import annotations

from dataclasses import dataclass

from toolferry import ToolCall, ToolResult
from toolferry_dispatcher.conversation.outcome import ConversationOutcome
from toolferry_ledger import PendingApproval


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCalled:
    """The model is asked now."""

    #: Which response of the conversation it will be, from 1.
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSaid:
    """The model said something, besides its calls or as its answer."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallsAsked:
    """The calls of a response are in the ledger. Told again by whoever resumes."""

    turn_id: str
    #: As the model made them, in its order.
    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEnded:
    """A call has its result, in the order of the ends. Told again by whoever resumes."""

    turn_id: str
    result: ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalWanted:
    """A person has to decide about a call. Who decides before the next event is not waited for."""

    turn_id: str
    approval: PendingApproval


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    """The results of a response are in the messages, and stored."""

    round: int
    turn_id: str
    #: Of the calls that have ended, in the model's order.
    results: tuple[ToolResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """The last event."""

    outcome: ConversationOutcome


ConversationEvent = (
    ModelCalled | TextSaid | CallsAsked | CallEnded | ApprovalWanted | RoundEnded | Finished
)
