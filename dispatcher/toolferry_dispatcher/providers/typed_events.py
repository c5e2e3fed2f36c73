"""Streams whose events say what they are: told apart, so that none is taken for another API's.

Each of these APIs may send events that are not known yet, and those are passed over. An event of
another one is no such event: all of its stream would be passed over without a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from toolferry import ResponseMalformed

#: How the names of the events begin, by provider. Sources: ResponseStreamEvent of `openai` 3.57,
#: RawMessageStreamEvent of `anthropic` 2.14, and V2ChatStreamResponse of `cohere`.
_BEGINNINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "openai-responses": ("response.",),
    "anthropic": ("message_", "content_block_"),
    "cohere-v2": ("message-", "content-", "tool-plan-", "tool-call-", "citation-"),
}


def refuse_foreign_event(kind: str, provider: str) -> None:
    """Require that an event is of a provider's stream, or of nobody's that is known.

    Args:
        kind: What the event says that it is.
        provider: Whose stream it stands in.

    Raises:
        ResponseMalformed: It is of another API, which is named.
    """
    for owner, beginnings in _BEGINNINGS.items():
        if owner != provider and kind.startswith(beginnings):
            reason = f"{kind!r:.80} is an event of {owner}, not of {provider}: name its provider"
            raise ResponseMalformed("chunk.type", reason)
