"""The outcome of a conversation: why it ended, or why it waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolferry import ToolResult
from toolferry_dispatcher.conversation.reasons import EndReason
from toolferry_dispatcher.conversation.state import ConversationState
from toolferry_ledger import PendingApproval


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationOutcome:
    """What became of a conversation."""

    reason: EndReason
    #: Why, in one sentence for people; empty for an answer.
    detail: str = ""
    #: What the model said last: the answer, when it is final.
    text: str = ""
    #: What it goes on from; see `Conversation.resume`.
    state: ConversationState
    #: What is asked of people, when it waits for that.
    approvals: tuple[PendingApproval, ...] = ()
    #: The calls that failed, when that is what it stopped at.
    failures: tuple[ToolResult, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether the model has answered."""
        return self.reason is EndReason.FINAL

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages so far, in the provider's format: every call in them has its answer."""
        return list(self.state.messages)
