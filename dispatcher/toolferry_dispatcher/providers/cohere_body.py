"""Where the message stands in what an application calls a response of Cohere, and what it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.reply import Ending

#: The finish reason of a stream that has not come to its end. Not a word of the API.
UNFINISHED: Final = "unfinished"

#: All that say that a response is not what the model meant to send; all others say nothing.
#: Source: `ChatFinishReason` of the `cohere` package 7.3; the last three are of the API before.
_ENDINGS: Final[Mapping[str, Ending]] = MappingProxyType(
    {
        UNFINISHED: Ending.UNKNOWN,
        "MAX_TOKENS": Ending.LENGTH,
        "ERROR": Ending.FAILED,
        "TIMEOUT": Ending.FAILED,
        "ERROR_TOXIC": Ending.REFUSED,
        "ERROR_LIMIT": Ending.LENGTH,
        "USER_CANCEL": Ending.BROKEN,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a response says."""

    message: Mapping[str, Any]
    #: Where the message stands; empty when it is all there is.
    path: str
    finish_reason: str
    #: What the provider says about its error.
    error: str
    #: All that was received.
    body: Mapping[str, Any]

    def field(self, name: str) -> str:
        """Give the path of a field of the message."""
        return f"{self.path}.{name}".removeprefix(".")

    def seed(self) -> str:
        """Give what tells this response from others; the same when it is read again."""
        return _text(self.body.get("id")) or json.dumps(self.body, sort_keys=True)

    def ending(self) -> Ending:
        """Say what the finish reason, or the error, means."""
        ending = _ENDINGS.get(self.finish_reason, Ending.WHOLE)
        return Ending.FAILED if self.error and ending is not Ending.REFUSED else ending


def find_answer(body: Any) -> Answer:
    """Find the answer in a response, a bare message, or an error in place of one.

    Raises:
        ResponseMalformed: The body is none of these; names the field that is missing or wrong.
    """
    if not isinstance(body, Mapping):
        raise ResponseMalformed("body", f"must be an object, not {kind_of(body)}")
    message = body.get("message")
    if isinstance(message, str) and not body.keys() & {"role", "content", "tool_calls"}:
        return Answer(message={}, path="message", finish_reason="", error=message, body=body)
    if isinstance(message, Mapping):
        return _of_message(message, "message", body)
    if "message" not in body and body.keys() & {"role", "content", "tool_calls"}:
        return _of_message(body, "", body)
    raise ResponseMalformed("message", "is missing: this is no response of Cohere")


def _of_message(message: Mapping[str, Any], path: str, body: Mapping[str, Any]) -> Answer:
    answer = Answer(
        message=message,
        path=path,
        finish_reason=_text(body.get("finish_reason")),
        error=_text(body.get("error")),
        body=body,
    )
    role = message.get("role") or "assistant"
    if role != "assistant":
        raise ResponseMalformed(answer.field("role"), f"must be 'assistant', not {role!r:.80}")
    return answer


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
