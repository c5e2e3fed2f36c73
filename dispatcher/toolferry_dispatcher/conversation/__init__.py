"""The conversation loop: ask the model, dispatch, gather, append, until it answers."""

from __future__ import annotations

from toolferry_dispatcher.conversation.aio import AsyncConversation
from toolferry_dispatcher.conversation.conversation import Conversation
from toolferry_dispatcher.conversation.events import (
    ApprovalWanted,
    CallEnded,
    CallsAsked,
    ConversationEvent,
    Finished,
    ModelCalled,
    RoundEnded,
    TextSaid,
)
from toolferry_dispatcher.conversation.failing import AfterFailure, OnFailure, ask_on, stop_on
from toolferry_dispatcher.conversation.limits import ConversationLimits, Spent
from toolferry_dispatcher.conversation.outcome import ConversationOutcome
from toolferry_dispatcher.conversation.reasons import EndReason
from toolferry_dispatcher.conversation.setup import ConversationOptions, OnApproval
from toolferry_dispatcher.conversation.state import ConversationState, OpenRound
from toolferry_dispatcher.conversation.tries import Tries

__all__ = [
    "AfterFailure",
    "ApprovalWanted",
    "AsyncConversation",
    "CallEnded",
    "CallsAsked",
    "Conversation",
    "ConversationEvent",
    "ConversationLimits",
    "ConversationOptions",
    "ConversationOutcome",
    "ConversationState",
    "EndReason",
    "Finished",
    "ModelCalled",
    "OnApproval",
    "OnFailure",
    "OpenRound",
    "RoundEnded",
    "Spent",
    "TextSaid",
    "Tries",
    "ask_on",
    "stop_on",
]
