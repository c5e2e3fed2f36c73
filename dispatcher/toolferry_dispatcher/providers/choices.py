"""Responses with several answers to choose from: Chat Completions' choices, Gemini's candidates.

A conversation goes on with one of them, and that is the first. The calls of the others are neither
run nor answered, and do not go back; that there were some is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolferry_ledger import get_log

log = get_log(__name__)


def tell_of_unread(
    provider: str, choices: Sequence[Any], has_calls: Callable[[Any], object]
) -> None:
    """Log that choices besides the first one hold calls, where any does.

    Args:
        provider: Whose response it is.
        choices: All of them, in order.
        has_calls: Tells whether one holds calls.
    """
    unread = sum(bool(has_calls(choice)) for choice in choices[1:])
    if unread:
        log.warning("response.choices_unread", provider=provider, choices=unread)


class UnreadChoices:
    """The choices of one stream that are passed over; logs once when any of them holds calls.

    Args:
        provider: Whose stream it is.
    """

    def __init__(self, provider: str) -> None:
        self._provider = provider
        self._has_calls = False

    def add(self, choice: Any, has_calls: Callable[[Any], object]) -> None:
        """Pass over a piece of a choice."""
        if not self._has_calls and has_calls(choice):
            self._has_calls = True
            log.warning("response.choices_unread", provider=self._provider)
