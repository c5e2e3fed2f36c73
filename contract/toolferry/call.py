"""The call and the turn: what a model asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One request by a model to run a tool."""

    #: The provider's id of the call; unique within its turn.
    call_id: str
    #: The tool's name as the model wrote it.
    name: str
    #: The decoded JSON object.
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One model response with its calls, in the model's order."""

    #: Unique in its namespace.
    turn_id: str
    calls: tuple[ToolCall, ...]
    #: The conversation it belongs to; empty when the application names none.
    conversation_id: str = ""
    #: Free words of the application, kept with the turn.
    labels: Mapping[str, str] = field(default_factory=dict)


def call_key(turn_id: str, index: int) -> str:
    """Name a call inside the ledger: call ids recur across turns, positions do not.

    >>> call_key("t1", 3)
    't1:3'
    """
    return f"{turn_id}:{index}"


def split_call_key(key: str) -> tuple[str, int]:
    """Give back the turn id and the position that make up a call key.

    >>> split_call_key("t1:3")
    ('t1', 3)
    """
    turn_id, _, index = key.rpartition(":")
    return turn_id, int(index)
