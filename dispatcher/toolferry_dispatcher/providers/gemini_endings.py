"""What the finish reasons of Gemini mean. A closed table.

Source: `FinishReason` in types.py of `google-genai` 3.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry_dispatcher.reply import Ending

#: The finish reason of a stream that has not come to its end. Not a word of the API: a content
#: alone, or a candidate of a gateway, has none and is whole.
UNFINISHED: Final = "unfinished"
#: A reason that speaks of the calls alone. Those that are there are judged like all others, and
#: the model is told which tools there are; where there is none, the call itself was lost.
UNEXPECTED_CALL: Final = "UNEXPECTED_TOOL_CALL"

#: All that say that a response is not what the model meant to send. All others, known or not, say
#: nothing.
_ENDINGS: Final[Mapping[str, Ending]] = MappingProxyType(
    {
        UNFINISHED: Ending.UNKNOWN,
        "FINISH_REASON_UNSPECIFIED": Ending.UNKNOWN,
        "MAX_TOKENS": Ending.LENGTH,
        "CONTINUATION": Ending.LENGTH,  # the limit of one request, not of the answer
        "MALFORMED_FUNCTION_CALL": Ending.BROKEN,
        "MALFORMED_RESPONSE": Ending.BROKEN,
        "TOO_MANY_TOOL_CALLS": Ending.BROKEN,  # by tools of the server
        "OTHER": Ending.BROKEN,
        "IMAGE_OTHER": Ending.BROKEN,
        "SAFETY": Ending.REFUSED,
        "RECITATION": Ending.REFUSED,
        "LANGUAGE": Ending.REFUSED,
        "BLOCKLIST": Ending.REFUSED,
        "PROHIBITED_CONTENT": Ending.REFUSED,
        "SPII": Ending.REFUSED,
        "IMAGE_SAFETY": Ending.REFUSED,
        "IMAGE_PROHIBITED_CONTENT": Ending.REFUSED,
        "IMAGE_RECITATION": Ending.REFUSED,
        "ESCALATION": Ending.REFUSED,
        "MODEL_ARMOR": Ending.REFUSED,
        "PUP_LIMITED_DISABLED": Ending.REFUSED,  # the account broke the terms of use
        "MISSING_THOUGHT_SIGNATURE": Ending.FAILED,  # the request lacked what the model had signed
    }
)


def ending_of(finish_reason: str, *, calls: bool) -> Ending:
    """Say what a finish reason means.

    Args:
        finish_reason: The provider's word; empty when it gave none.
        calls: Whether the response holds calls.

    >>> ending_of("STOP", calls=False), ending_of("UNEXPECTED_TOOL_CALL", calls=False)
    (<Ending.WHOLE: 'whole'>, <Ending.BROKEN: 'broken'>)
    """
    if finish_reason == UNEXPECTED_CALL and not calls:
        return Ending.BROKEN
    return _ENDINGS.get(finish_reason, Ending.WHOLE)
