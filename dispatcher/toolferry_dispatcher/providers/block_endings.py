"""The stop reasons that the Messages API and Converse have in common: both send blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolferry_dispatcher.reply import Ending

#: What they mean. All others, known or not, say nothing: what is there counts.
#: Source: types/stop_reason.py of the `anthropic` package 2.14, and StopReason of the service model
#: of `bedrock-runtime` in `botocore` 1.44.
_ENDINGS: Final[Mapping[str, Ending]] = {
    "end_turn": Ending.WHOLE,
    "tool_use": Ending.WHOLE,
    "stop_sequence": Ending.WHOLE,
    "max_tokens": Ending.LENGTH,
    "model_context_window_exceeded": Ending.LENGTH,
}
#: Those after which no call may run, though they call the message whole.
_NO_CALLS: Final = frozenset({"stop_sequence"})
#: The most characters of a provider's own error that are repeated.
ERROR_LENGTH: Final = 1000


def ending_of(reason: str, own: Mapping[str, Ending], *, has_calls: bool) -> Ending:
    """Say what a stop reason means beside calls, or without them.

    Args:
        reason: As it was sent.
        own: Those that only the provider has.
        has_calls: Whether there are calls beside it.

    >>> ending_of("stop_sequence", {}, has_calls=True).name
    'BROKEN'
    """
    if has_calls and reason in _NO_CALLS:
        return Ending.BROKEN
    return own.get(reason) or _ENDINGS.get(reason, Ending.WHOLE)
