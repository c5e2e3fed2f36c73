"""Where a conversation begins: with messages, or with a state that was left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolferry import ConfigurationError
from toolferry_dispatcher.conversation.setup import Setup
from toolferry_dispatcher.conversation.state import ConversationState, OpenRound
from toolferry_dispatcher.conversation.steps import OpenTurn
from toolferry_dispatcher.options import DispatchOptions
from toolferry_ledger import Keeping


def begun(
    messages: Iterable[Mapping[str, Any]], setup: Setup, conversation_id: str
) -> ConversationState:
    """Give the state of a conversation that begins.

    Raises:
        ConfigurationError: The messages are no list of objects.
    """
    try:
        copied = tuple(map(dict, messages))
    except (TypeError, ValueError) as error:
        reason = f"must be a list of objects in the format of {setup.provider!r}"
        raise ConfigurationError("messages", reason) from error
    return ConversationState(
        messages=copied,
        provider=setup.provider,
        conversation_id=conversation_id,
    )


def left(state: ConversationState | Mapping[str, Any], setup: Setup) -> ConversationState:
    """Give the state that a conversation goes on from.

    Raises:
        ConfigurationError: It is no state, or one of another provider.
    """
    found = state if isinstance(state, ConversationState) else ConversationState.from_json(state)
    if found.provider != setup.provider:
        reason = f"is of a conversation with {found.provider!r}, not with {setup.provider!r}"
        raise ConfigurationError("state", reason)
    return found


def may_dispatch(opened: OpenRound, keeping: Keeping, now: float) -> bool:
    """Tell whether a response may be dispatched, or only its turn attached to.

    While the turn would still be in the ledger, dispatching it again finds it there. Later the
    ledger may have forgotten it, and its calls would run a second time.

    Args:
        opened: The response.
        keeping: How long records are kept.
        now: Seconds since the epoch.
    """
    kept = min(keeping.succeeded, keeping.failed)
    return not opened.is_sent and now - opened.since < kept


def dispatch_options(step: OpenTurn, setup: Setup) -> DispatchOptions:
    """Give what the turn of a response is dispatched with."""
    return {
        **setup.dispatch,
        "context": setup.context,
        "provider": setup.provider,
        "turn_id": step.round.turn_id,
        "conversation_id": step.conversation_id,
        "visible": step.visible,
    }
