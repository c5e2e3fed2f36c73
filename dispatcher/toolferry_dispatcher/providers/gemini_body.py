"""Where the model's content stands in what an application calls a response of Gemini."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.gemini_fields import value_of, words
from toolferry_dispatcher.providers.json_data import kind_of

#: What is in a response besides its candidates.
_BESIDES: Final = ("promptFeedback", "usageMetadata", "modelVersion", "responseId")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The one answer of a response that the conversation goes on with."""

    #: As received; empty when there is none.
    content: Mapping[str, Any] = field(default_factory=dict)
    #: Where it stands, such as `candidates[0].content`; empty when it is all there is.
    path: str = ""
    finish_reason: str = ""
    #: Why the prompt was not answered; empty when it was.
    block_reason: str = ""
    #: The code of the provider's own error; empty when there is none.
    error: str = ""
    #: What the provider says about its reasons or its error.
    provider_words: str = ""
    #: All that was received.
    body: Any = None

    def seed(self) -> str:
        """Give what tells this response from others; the same when it is read again."""
        return words(value_of(self.body, "responseId")) or json.dumps(self.body, sort_keys=True)

    @property
    def parts(self) -> list[Any]:
        """The parts as received.

        Raises:
            ResponseMalformed: They are no array.
        """
        parts = self.content.get("parts")
        if parts is not None and not isinstance(parts, list):
            where = f"{self.path}.parts".removeprefix(".")
            raise ResponseMalformed(where, f"must be an array, not {kind_of(parts)}")
        return parts or []


def find_answer(body: Any) -> Answer:
    """Find the answer in a response (its first candidate), a candidate, or a bare content.

    Raises:
        ResponseMalformed: The body is none of these; names the field that is missing or wrong.
    """
    if not isinstance(body, Mapping):
        raise ResponseMalformed("body", f"must be an object, not {kind_of(body)}")
    if is_response(body):
        answer = _of_response(body)
    elif isinstance(body.get("content"), Mapping):
        answer = _of_candidate(body, "")
    elif "parts" in body:
        answer = _of_content(body)
    else:
        raise ResponseMalformed("candidates", "is missing: this is no response of Gemini")
    return replace(answer, body=body)


def is_response(body: Mapping[str, Any]) -> bool:
    """Tell whether this is a whole response, or a chunk of one."""
    return (
        "candidates" in body
        or bool(error_of(body))
        or any(value_of(body, name) is not None for name in _BESIDES)
    )


def error_of(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the provider's error; an empty one when there is none."""
    error = body.get("error")
    return error if isinstance(error, Mapping) else {}


def looks_like_gemini(body: Any) -> bool:
    """Tell whether JSON data is of this format, and of no other: whole, a chunk, or an error."""
    if not isinstance(body, Mapping):
        return False
    content = body.get("content")
    parts = body.get("parts") or (content.get("parts") if isinstance(content, Mapping) else None)
    return (
        isinstance(body.get("candidates"), list)
        or isinstance(parts, list)
        or any(isinstance(value_of(body, name), Mapping) for name in _BESIDES)
        or {"code", "status"} <= error_of(body).keys()
    )


def candidates_of(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give the candidates of a response or a chunk.

    Raises:
        ResponseMalformed: They are no array of objects.
    """
    candidates = body.get("candidates")
    if candidates is None:
        return []
    if not isinstance(candidates, list):
        raise ResponseMalformed("candidates", f"must be an array, not {kind_of(candidates)}")
    for position, candidate in enumerate(candidates):
        if not isinstance(candidate, Mapping):
            reason = f"must be an object, not {kind_of(candidate)}"
            raise ResponseMalformed(f"candidates[{position}]", reason)
    return candidates


def has_calls(candidate: Mapping[str, Any]) -> bool:
    """Tell whether a candidate, or a piece of one, holds calls."""
    content = candidate.get("content")
    parts = content.get("parts") if isinstance(content, Mapping) else None
    return isinstance(parts, list) and any(
        isinstance(part, Mapping) and value_of(part, "functionCall") is not None for part in parts
    )


def content_of(candidate: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """Give the content of a candidate; an empty one when it has none.

    Raises:
        ResponseMalformed: It is no object, or not the model's.
    """
    content = candidate.get("content")
    if content is None:
        return {}
    if not isinstance(content, Mapping):
        raise ResponseMalformed(path, f"must be an object, not {kind_of(content)}")
    return content


def _of_response(body: Mapping[str, Any]) -> Answer:
    candidates = candidates_of(body)
    answer = _of_candidate(candidates[0], "candidates[0].") if candidates else Answer()
    return _with_provider_words(answer, body)


def _of_candidate(candidate: Mapping[str, Any], prefix: str) -> Answer:
    path = f"{prefix}content"
    return _of_content(
        content_of(candidate, path),
        path=path,
        finish_reason=words(value_of(candidate, "finishReason")),
        provider_words=words(value_of(candidate, "finishMessage")),
    )


def _of_content(content: Mapping[str, Any], **known: str) -> Answer:
    answer = Answer(content=content, **known)
    role = content.get("role") or "model"
    if role != "model":
        where = f"{answer.path}.role".removeprefix(".")
        raise ResponseMalformed(where, f"must be 'model', not {role!r:.80}")
    return answer


def _with_provider_words(answer: Answer, body: Mapping[str, Any]) -> Answer:
    """Add what stands beside the candidates: a block of the prompt, or an error."""
    feedback, error = value_of(body, "promptFeedback"), error_of(body)
    if error:
        code = error.get("status") or error.get("code") or "error"
        return replace(answer, error=str(code)[:80], provider_words=words(error.get("message")))
    reason = words(value_of(feedback, "blockReason")) if isinstance(feedback, Mapping) else ""
    if not reason or reason == "BLOCKED_REASON_UNSPECIFIED":
        return answer
    said = words(value_of(feedback, "blockReasonMessage"))
    return replace(answer, block_reason=reason, provider_words=said)
