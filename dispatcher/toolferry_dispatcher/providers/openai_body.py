"""Where the assistant message stands in what an application calls a response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.json_data import fold, kind_of
from toolferry_dispatcher.providers.openai_endings import ending_of
from toolferry_dispatcher.reply import Ending

#: Parts of other APIs' messages: their calls would be passed over here without a word.
_FOREIGN_PARTS: Final = frozenset({"tool_use", "function_call", "server_tool_use", "tool_result"})
#: The most characters of a provider's own error that are repeated.
_ERROR_LENGTH: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The one answer of a response that the conversation goes on with."""

    message: Mapping[str, Any]
    #: Where the message stands, such as `choices[0].message`; empty when it is all there is.
    path: str
    finish_reason: str | None
    #: The provider's id of the response; empty when it gave none.
    response_id: str
    #: What the provider said of its error; empty when there was none.
    error: str = ""

    def field(self, name: str) -> str:
        """Give the path of a field of the message."""
        return f"{self.path}.{name}" if self.path else name


def find_answer(body: Any) -> Answer:
    """Find the answer in a completion (its first choice), a choice, or a bare message.

    What came beside a provider's error is no answer, and no message of it is given.

    Raises:
        ResponseMalformed: The body is none of these; names the field that is missing or wrong.
    """
    if not isinstance(body, Mapping):
        raise ResponseMalformed("body", f"must be an object, not {kind_of(body)}")
    if error := error_of(body):
        return _failed(body, error)
    if "choices" in body:
        choice = _first_choice(body)
        if error := error_of(choice):
            return _failed(choice, error)
        return _of_choice(choice, "choices[0].", _text(body.get("id")))
    if "message" in body:
        return _of_choice(body, "", "")
    if not body.keys() & {"role", "content", "tool_calls"}:
        raise ResponseMalformed("choices", "is missing: this is no chat completion")
    return _of_message(body, path="", finish_reason=None, response_id=_text(body.get("id")))


def choices_of(body: Any) -> Sequence[Any]:
    """Give the choices of a response; none where it has them in no array."""
    choices = body.get("choices") if isinstance(body, Mapping) else None
    return choices if isinstance(choices, list) else ()


def has_calls(choice: Any) -> bool:
    """Tell whether a choice, or a piece of one, holds calls."""
    said = choice.get("message") or choice.get("delta") if isinstance(choice, Mapping) else None
    return isinstance(said, Mapping) and bool(said.get("tool_calls"))


def _first_choice(body: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = body["choices"]
    if not isinstance(choices, list):
        raise ResponseMalformed("choices", f"must be an array, not {kind_of(choices)}")
    if not choices:
        raise ResponseMalformed("choices", "is empty: the response holds no answer")
    if not isinstance(choices[0], Mapping):
        raise ResponseMalformed("choices[0]", f"must be an object, not {kind_of(choices[0])}")
    return choices[0]


def _of_choice(choice: Mapping[str, Any], prefix: str, response_id: str) -> Answer:
    path = f"{prefix}message"
    message = choice.get("message")
    finish_reason = _text(choice.get("finish_reason")) or None
    if message is None and ending_of(finish_reason) is not Ending.WHOLE:
        message = {}
    if isinstance(message, Mapping):
        return _of_message(message, path=path, finish_reason=finish_reason, response_id=response_id)
    if "delta" in choice:
        raise ResponseMalformed(path, "is missing: this is one chunk of a stream, not a response")
    if "message" not in choice:
        raise ResponseMalformed(path, "is missing")
    raise ResponseMalformed(path, f"must be an object, not {kind_of(message)}")


def _of_message(
    message: Mapping[str, Any], *, path: str, finish_reason: str | None, response_id: str
) -> Answer:
    answer = Answer(
        message=message, path=path, finish_reason=finish_reason, response_id=response_id
    )
    role = message.get("role") or "assistant"
    if role != "assistant":
        raise ResponseMalformed(answer.field("role"), f"must be 'assistant', not {role!r}")
    _refuse_foreign_parts(answer)
    return answer


def _refuse_foreign_parts(answer: Answer) -> None:
    content = answer.message.get("content")
    for position, part in enumerate(content if isinstance(content, list) else ()):
        kind = part.get("type") if isinstance(part, Mapping) else None
        if isinstance(kind, str) and kind in _FOREIGN_PARTS:
            raise ResponseMalformed(
                answer.field(f"content[{position}].type"),
                f"{kind!r} is no part of a chat completion: name the provider that sent it",
            )


def error_of(body: Mapping[str, Any]) -> str:
    """Give what a provider says of its error; empty when a body holds none.

    >>> error_of({"error": {"message": "overloaded", "code": 529}}), error_of({"error": None})
    ('overloaded', '')
    """
    error = body.get("error")
    if error is None and body.get("object") == "error":
        error = body
    if isinstance(error, Mapping):
        # Servers that fill in every field there is send an empty one beside a good answer.
        words = (error.get(name) for name in ("message", "code", "type"))
        error = next((word for word in words if word), "")
    return fold(str(error))[:_ERROR_LENGTH] if error else ""


def _failed(body: Mapping[str, Any], error: str) -> Answer:
    reason = _text(body.get("finish_reason")) or None
    return Answer(message={}, path="", finish_reason=reason, response_id="", error=error)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
