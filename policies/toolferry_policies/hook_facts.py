"""What hooks are told of a call: while it runs, when it has run, when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolferry import Context, Tool, ToolCall, ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Underway:
    """One attempt of a call, as hooks around it see it."""

    #: With the arguments that it runs with.
    call: ToolCall
    #: Its identity in the ledger, the same for all of its attempts.
    call_key: str
    tool: Tool
    context: Context
    #: The number of the attempt, from 1.
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """What the last attempt of a call has returned, as hooks after it see it."""

    call: ToolCall
    call_key: str
    tool: Tool
    context: Context
    #: How many attempts there were.
    attempt: int
    #: What the model would read, as JSON data; a copy.
    content: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedCall:
    """A call that is over, as observers see it."""

    call_key: str
    result: ToolResult
    conversation_id: str
    tenant: str
    #: What the application said about the turn.
    labels: Mapping[str, str] = field(default_factory=dict)
