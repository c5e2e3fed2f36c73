"""Providers whose own servers ask people, by the messages, before a conversation may go on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class AsksPeople(Protocol):
    """A provider that refuses a request which does not answer what its servers have asked."""

    def asks_people(self, messages: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether something is asked in the messages that has no answer there yet."""
