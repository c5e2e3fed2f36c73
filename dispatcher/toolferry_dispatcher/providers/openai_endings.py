"""What the finish reasons of Chat Completions mean, and those of servers that speak it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry_dispatcher.reply import Ending

#: The finish reason of a stream that has not come to its end. Not a word of the API: the whole
#: responses of some servers have no finish reason, and are whole.
UNFINISHED: Final = "unfinished"

#: All that say that a response is not what the model meant to send. All others, known or not, say
#: nothing: servers send `stop` with calls and `tool_calls` without.
_ENDINGS: Final[Mapping[str, Ending]] = MappingProxyType(
    {
        "length": Ending.LENGTH,
        "content_filter": Ending.REFUSED,
        "error": Ending.FAILED,  # OpenRouter
        "insufficient_system_resource": Ending.BROKEN,  # DeepSeek
        "model_length": Ending.LENGTH,  # Mistral
        "abort": Ending.BROKEN,  # vLLM
        # Of other APIs, behind gateways that pass them on.
        "malformed_function_call": Ending.BROKEN,
        "max_tokens": Ending.LENGTH,
        "model_context_window_exceeded": Ending.LENGTH,
        "refusal": Ending.REFUSED,
        "safety": Ending.REFUSED,
        UNFINISHED: Ending.UNKNOWN,
    }
)


def ending_of(finish_reason: str | None) -> Ending:
    """Say what a finish reason means.

    >>> ending_of("length"), ending_of("stop"), ending_of(None)
    (<Ending.LENGTH: 'length'>, <Ending.WHOLE: 'whole'>, <Ending.WHOLE: 'whole'>)
    """
    return _ENDINGS.get((finish_reason or "").lower(), Ending.WHOLE)
