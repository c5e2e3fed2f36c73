"""What a conversation asks for on its way: everything that has to be waited for.

The machine only says what it wants; its driver does it, in a thread or on an event loop, and hands
the answer in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolferry_dispatcher.cancelling import OnTimeout
from toolferry_dispatcher.conversation.state import ConversationState, OpenRound
from toolferry_dispatcher.handle import GatheredTurn
from toolferry_dispatcher.late import LateResult
from toolferry_dispatcher.menu import Menu


@dataclass(frozen=True, slots=True)
class Store:
    """Keep the state; nothing goes on before that is done. Gives nothing."""

    state: ConversationState


@dataclass(frozen=True, slots=True)
class AskModel:
    """Send a request. Gives the model's response, streams put together."""

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    #: What the tools need beside them in the request.
    beside: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReadLate:
    """Look for late results. Gives a list of `LateResult`."""

    conversation_id: str


@dataclass(frozen=True, slots=True)
class ConfirmLate:
    """Say that late results are stored. Gives nothing."""

    late: tuple[LateResult, ...]


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """Dispatch the calls of a response, or attach to their turn. Gives the turn's handle."""

    round: OpenRound
    visible: Menu
    conversation_id: str


@dataclass(frozen=True, slots=True)
class WaitNews:
    """Wait until a call has ended that was not seen. Gives the results so far, by position."""

    turn: GatheredTurn
    seen: frozenset[int]
    #: Seconds to wait at the most.
    patience: float


@dataclass(frozen=True, slots=True)
class Look:
    """Look how the open calls stand. Gives a `Standing`."""

    turn: GatheredTurn


@dataclass(frozen=True, slots=True)
class WriteMessages:
    """Write the turn for the next request. Gives the messages."""

    turn: GatheredTurn
    #: Seconds to wait at the most; None: until the last deadline.
    timeout: float | None
    on_timeout: OnTimeout


Step = Store | AskModel | ReadLate | ConfirmLate | OpenTurn | WaitNews | Look | WriteMessages
