"""Where the message stands in what an application calls a response of Cohere, and what it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.reply import ReplyKind

#: The finish reason of a stream that has not come to its end. Not a word of the API.
UNFINISHED: Final = "unfinished"

#: The finish reasons that change what a response is; all others, known or not, say nothing.
#: Source: `ChatFinishReason` of the `cohere` package 7.3, and of its older API the last three.
KIND_BY_REASON: Final[Mapping[str, ReplyKind]] = MappingProxyType(
    {
        UNFINISHED: ReplyKind.INCOMPLETE,
        "MAX_TOKENS": ReplyKind.INCOMPLETE,
        "ERROR": ReplyKind.PROVIDER_ERROR,
        "TIMEOUT": ReplyKind.PROVIDER_ERROR,
        "ERROR_TOXIC": ReplyKind.REFUSED,
        "ERROR_LIMIT": ReplyKind.INCOMPLETE,
        "USER_CANCEL": ReplyKind.INCOMPLETE,
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

    def kind(self, *, calls: bool, says: bool) -> ReplyKind:
        """Tell what the response is; of what broke behind calls, none of them may run.

        Args:
            calls: Whether it holds calls.
            says: Whether it says something besides.
        """
        kind = KIND_BY_REASON.get(self.finish_reason)
        if self.error and kind is not ReplyKind.REFUSED:
            kind = ReplyKind.PROVIDER_ERROR
        if calls:
            return ReplyKind.INCOMPLETE if kind else ReplyKind.CALLS
        return kind or (ReplyKind.FINAL if says else ReplyKind.DEGENERATE)


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
