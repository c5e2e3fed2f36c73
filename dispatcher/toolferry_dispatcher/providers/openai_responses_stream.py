"""A streamed response of the Responses API, put together from its events.

1. An event belongs to the item that it names by id, else to the latest one at its place. Ids may
   change from event to event, and places may be missing or shared: gateways send both.
2. What an item says is gathered in pieces, in the order of their sequence numbers, until an event
   brings the whole of it, which counts in place of the pieces.
3. The event that ends the stream brings the whole response. Where it leaves its items out, those
   that were gathered stand in. Without that event the response is `in_progress`, however whole it
   looks, so that nothing in it runs.

Source: types/responses/response_stream_event.py of the `openai` package 3.57.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.openai_responses_body import read_error
from toolferry_dispatcher.providers.openai_responses_pieces import piece_of
from toolferry_dispatcher.providers.openai_responses_slots import Slots
from toolferry_dispatcher.providers.sse import chunks_in
from toolferry_dispatcher.providers.typed_events import refuse_foreign_event

#: The status that the event at the end stands for, where its response names none.
_ENDS: Final[Mapping[str, str]] = {
    "response.completed": "completed",
    "response.incomplete": "incomplete",
    "response.failed": "failed",
}
#: The events that tell of the response as a whole before its end.
_STARTS: Final = frozenset({"response.created", "response.in_progress", "response.queued"})
#: What some take for a stream: the items of a whole response.
_ITEMS: Final = frozenset({"function_call", "custom_tool_call", "message", "reasoning"})
#: What a response that ended cannot be any more.
_OPEN: Final = frozenset({"in_progress", "queued"})


class ResponsesAssembler:
    """Puts one streamed response together."""

    def __init__(self) -> None:
        self._response: dict[str, Any] = {}
        self._ended = ""
        self._error: Any = None
        self._slots = Slots()

    def add(self, chunk: object) -> None:
        """Take the next event: an SDK's object, a dict, JSON text, or a line of the stream.

        Raises:
            ResponseMalformed: It is no event of this format; names the field.
        """
        for event in chunks_in(chunk):
            self._take(event)

    def body(self) -> dict[str, Any]:
        """Give the response so far in the form of a whole one."""
        body = {**self._response, "object": "response", "status": self._status()}
        if self._error is not None:
            body["error"] = self._error
        if not body.get("output"):
            body["output"] = self._slots.items()
        return body

    def _status(self) -> str:
        if self._error is not None:
            return "failed"
        if not self._ended:
            return "in_progress"
        status = self._response.get("status")
        return status if isinstance(status, str) and status not in _OPEN else self._ended

    def _take(self, event: Any) -> None:
        if not isinstance(event, Mapping):
            raise ResponseMalformed("event", f"must be an object, not {kind_of(event)}")
        kind = event.get("type")
        if not isinstance(kind, str):
            self._take_untyped(event)
        elif kind == "error":
            self._take_error(_error_of(event))
        elif kind in _STARTS or kind in _ENDS:
            self._take_response(kind, event.get("response"))
        elif kind in {"response.output_item.added", "response.output_item.done"}:
            self._take_item(kind, event)
        elif kind in _ITEMS:
            reason = f"{kind!r} is an item, no event: hand in the whole response"
            raise ResponseMalformed("event.type", reason)
        elif (piece := piece_of(kind, event)) is not None:
            self._slots.of_piece(event, piece).add(piece)
        else:
            refuse_foreign_event(kind, "openai-responses")
        # All others tell of what the server does by itself, or what their items bring anyway.

    def _take_untyped(self, event: Mapping[str, Any]) -> None:
        """Take the error that some servers send in place of an event."""
        if not event.get("error"):
            raise ResponseMalformed("event.type", "is missing: this is no event of this format")
        self._take_error(event["error"])

    def _take_error(self, error: Any) -> None:
        """Take an error, unless the whole response is there already."""
        if not self._ended:
            self._error = error

    def _take_response(self, kind: str, response: Any) -> None:
        if not isinstance(response, Mapping):
            response = {}
        if kind in _ENDS:
            self._ended = self._ended or _ENDS[kind]
            self._response |= response
        elif not self._ended:
            self._response |= {key: value for key, value in response.items() if key != "output"}

    def _take_item(self, kind: str, event: Mapping[str, Any]) -> None:
        item = event.get("item")
        if item is None:
            return
        if not isinstance(item, Mapping):
            raise ResponseMalformed("event.item", f"must be an object, not {kind_of(item)}")
        if kind.endswith(".done"):
            self._slots.of_done(event, item).finish(item)
        else:
            self._slots.of_added(event, item).begin(item)


def _error_of(event: Mapping[str, Any]) -> Any:
    """Give the error of an event, which holds it as an object or has its fields itself."""
    error = event.get("error") or {
        key: event.get(key) for key in ("code", "message", "param") if event.get(key)
    }
    return (
        error if read_error(error) != ("", "") else {"message": "The stream broke with an error."}
    )
