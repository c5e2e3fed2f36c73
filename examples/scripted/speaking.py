"""How a scripted provider speaks: one class an API, used by the server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from examples.scripted.refusal import Refused
from examples.scripted.turns import ScriptedCall, ScriptedTurn


class Speaker(Protocol):
    """One API, as a server has it."""

    @property
    def path(self) -> str | tuple[str, ...]:
        """How paths end that are its own."""

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse a request that breaks a rule.

        Args:
            request: The body.
            sent: What was sent in this conversation and has to be back, as `said` gave it.

        Raises:
            Refused: It does.
        """

    def said(self, turn: ScriptedTurn, number: int) -> Any:
        """Give the model's message of a turn, as it has to come back."""

    def whole(self, said: Any, number: int) -> dict[str, Any]:
        """Give the response with that message."""

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Tell whether a request asks for chunks."""

    def chunks(self, said: Any, number: int) -> Iterator[str] | Iterator[bytes]:
        """Give the events of a streamed response: server-sent ones as text, others as bytes."""

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give the body that refuses a request."""


def call_id(call: ScriptedCall, number: int, at: int, prefix: str) -> str:
    """Give the id of a call: its own, or one that is unique in a script."""
    return call.call_id or f"{prefix}{number:02d}{at:02d}scripted"


def halves(text: str) -> Iterator[str]:
    """Give a text in two pieces, as a stream brings it; nothing of nothing."""
    middle = (len(text) + 1) // 2
    yield from filter(None, (text[:middle], text[middle:]))


def sse(data: Mapping[str, Any], event: str = "") -> str:
    """Write one server-sent event."""
    named = f"event: {event}\n" if event else ""
    return f"{named}data: {json.dumps(data, ensure_ascii=False)}\n\n"


def all_back(sent: Sequence[Any], back: Sequence[Any], message: str) -> None:
    """Require all that was sent to be back, unchanged and in order.

    Raises:
        Refused: Something is not.
    """
    rest = iter(back)
    for one in sent:
        if one not in rest:
            raise Refused(message)
