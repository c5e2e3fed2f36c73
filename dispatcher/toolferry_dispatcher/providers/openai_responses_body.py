"""Where the output items stand in what an application calls a response of the Responses API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.json_data import fold, kind_of

#: Items of other APIs: their calls would be passed over here without a word.
_FOREIGN: Final = frozenset({"tool_use", "server_tool_use", "tool_result", "function", "text"})
#: The most characters of a provider's own error that are repeated.
_ERROR_LENGTH: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a response holds, and how it ended."""

    #: The items, in the model's order.
    items: tuple[Mapping[str, Any], ...]
    #: Such as `completed`; empty when there is none, as in a bare list of items.
    status: str = ""
    #: Why it is incomplete; empty when it is not.
    reason: str = ""
    #: The code of the error with which it failed; empty when it has none.
    error_code: str = ""
    #: What the provider says about it.
    error_message: str = ""
    #: The provider's id of the response; empty when it gave none.
    response_id: str = ""

    @property
    def has_failed(self) -> bool:
        """Whether the provider sends an error in place of what is missing."""
        return bool(self.error_code or self.error_message)


def find_output(body: Any) -> Output:
    """Find the output in a response, in the event that brings a whole one, or in a list of items.

    Raises:
        ResponseMalformed: The body is none of these; names the field that is missing or wrong.
    """
    if isinstance(body, list):
        return Output(items=_items_of(body, ""))
    if not isinstance(body, Mapping):
        raise ResponseMalformed("body", f"must be an object, not {kind_of(body)}")
    if is_event(body):
        return _of_event(body)
    error = body.get("error")
    if body.get("output") is None and not error:
        raise ResponseMalformed("output", "is missing: this is no response of the Responses API")
    code, message = read_error(error)
    return Output(
        items=_items_of(body.get("output") or [], "output"),
        status=_text(body.get("status")),
        reason=_text(_object(body.get("incomplete_details")).get("reason")),
        error_code=code,
        error_message=message,
        response_id=_text(body.get("id")),
    )


def is_event(body: Mapping[str, Any]) -> bool:
    """Tell whether JSON data is one event of a stream."""
    kind = body.get("type")
    return isinstance(kind, str) and (kind == "error" or kind.startswith("response."))


def read_error(error: object) -> tuple[str, str]:
    """Give the code and the message of an error; both empty when there is none.

    >>> read_error({"code": "server_error", "message": "Try again."})
    ('server_error', 'Try again.')
    """
    if not error:
        return "", ""
    if not isinstance(error, Mapping):
        return "", fold(str(error))[:_ERROR_LENGTH]
    code = _text(error.get("code")) or _text(error.get("type"))
    message = _text(error.get("message")) or code or "The provider gave no reason."
    return code, message[:_ERROR_LENGTH]


def _of_event(event: Mapping[str, Any]) -> Output:
    if isinstance(event.get("response"), Mapping) and not is_event(event["response"]):
        return find_output(event["response"])
    raise ResponseMalformed("type", "is that of one event of a stream, not of a response")


def _items_of(output: object, where: str) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(output, list):
        raise ResponseMalformed(where or "body", f"must be an array, not {kind_of(output)}")
    for position, item in enumerate(output):
        _require_item(item, f"{where}[{position}]")
    return tuple(output)


def _require_item(item: object, where: str) -> None:
    if not isinstance(item, Mapping):
        raise ResponseMalformed(where, f"must be an object, not {kind_of(item)}")
    kind = item.get("type")
    if not isinstance(kind, str):
        raise ResponseMalformed(f"{where}.type", f"must be a string, not {kind_of(kind)}")
    if kind in _FOREIGN:
        raise ResponseMalformed(
            f"{where}.type", f"{kind!r} is no item of this API: name the provider that sent it"
        )


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
