"""Why Gemini stopped, and what that makes of a response. A closed table.

Source: `FinishReason` and `BlockedReason` in types.py of `google-genai` 3.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry_dispatcher.reply import ReplyKind

#: The finish reason of a stream that has not come to its end. Not a word of the API.
UNFINISHED: Final = "unfinished"

#: What the model made was cut off, or broke on the way.
_BROKEN_OFF: Final = (
    UNFINISHED,
    "FINISH_REASON_UNSPECIFIED",
    "MAX_TOKENS",
    "CONTINUATION",
    "MALFORMED_FUNCTION_CALL",
    "MALFORMED_RESPONSE",
    "TOO_MANY_TOOL_CALLS",
    "OTHER",
    "IMAGE_OTHER",
)
#: A filter stopped it, or the provider does not serve this account.
_REFUSED: Final = (
    "SAFETY",
    "RECITATION",
    "LANGUAGE",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "ESCALATION",
    "PUP_LIMITED_DISABLED",
    "MODEL_ARMOR",
)

#: The finish reasons that change what a response is. All others, known or not, say nothing.
KIND_BY_REASON: Final[Mapping[str, ReplyKind]] = MappingProxyType(
    {
        **dict.fromkeys(_BROKEN_OFF, ReplyKind.INCOMPLETE),
        **dict.fromkeys(_REFUSED, ReplyKind.REFUSED),
        # The request lacked what the model had signed: nothing was answered.
        "MISSING_THOUGHT_SIGNATURE": ReplyKind.PROVIDER_ERROR,
    }
)
#: A reason that speaks of the calls alone: those that are there are judged like all others, and
#: the model is told of a tool that does not exist. Without one, the call itself was lost.
UNEXPECTED_CALL: Final = "UNEXPECTED_TOOL_CALL"


def kind_of_reply(reason: str, *, calls: bool, says: bool) -> ReplyKind:
    """Tell what a response is.

    A refusal or an error behind calls is a response that was not finished: none of them may run.

    Args:
        reason: The finish reason; empty when there is none.
        calls: Whether the response holds calls.
        says: Whether it says or shows something besides.

    >>> str(kind_of_reply("SAFETY", calls=False, says=False))
    'refused'
    >>> str(kind_of_reply("SAFETY", calls=True, says=False))
    'incomplete'
    """
    kind = KIND_BY_REASON.get(reason)
    if calls:
        return ReplyKind.INCOMPLETE if kind else ReplyKind.CALLS
    if kind or reason == UNEXPECTED_CALL:
        return kind or ReplyKind.INCOMPLETE
    return ReplyKind.FINAL if says else ReplyKind.DEGENERATE
