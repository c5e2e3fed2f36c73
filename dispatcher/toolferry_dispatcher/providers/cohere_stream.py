"""A streamed Cohere response, put together into the form of a whole one.

Calls and blocks of content each have an index, which a start opens and deltas continue. A start
always opens a new one, even under an index that is taken; a delta without a known index continues
what was opened last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.cohere_body import UNFINISHED
from toolferry_dispatcher.providers.cohere_calls import as_object
from toolferry_dispatcher.providers.cohere_pieces import Pieces
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.sse import chunks_in
from toolferry_dispatcher.providers.typed_events import refuse_foreign_event

#: The events of a stream; those that the assembler does not take only frame the others.
EVENTS: Final = frozenset(
    {
        "message-start",
        "tool-plan-delta",
        "content-start",
        "content-delta",
        "content-end",
        "tool-call-start",
        "tool-call-delta",
        "tool-call-end",
        "citation-start",
        "citation-end",
        "message-end",
        "debug",
    }
)

#: Takes an event, and what it adds to the message.
_Take = Callable[[Mapping[str, Any], Mapping[str, Any]], None]


class CohereAssembler:
    """Puts one streamed response together."""

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._finish_reason = ""
        self._plan: list[str] = []
        self._blocks = Pieces()
        self._calls = Pieces()
        self._citations: list[Any] = []
        self._take: Mapping[str, _Take] = {
            "message-start": self._start,
            "tool-plan-delta": self._add_plan,
            "content-start": self._start_block,
            "content-delta": self._add_block,
            "tool-call-start": self._start_call,
            "tool-call-delta": self._add_call,
            "citation-start": self._cite,
            "message-end": self._end,
        }

    def add(self, chunk: object) -> None:
        """Take the next event: an SDK's object, a dict, JSON text, or lines of an event stream.

        Raises:
            ResponseMalformed: It is no event of this format; names the field.
        """
        for data in chunks_in(chunk):
            for event in data if isinstance(data, list) else [data]:
                self._add(event)

    def body(self) -> dict[str, Any]:
        """Give the response so far in the form of a whole one.

        One whose end has not come has the finish reason `unfinished`.
        """
        message: dict[str, Any] = {"role": "assistant"}
        parts = {
            "tool_plan": "".join(self._plan),
            "tool_calls": self._calls.calls(),
            "content": self._blocks.blocks(),
            "citations": list(self._citations),
        }
        message |= {name: part for name, part in parts.items() if part}
        reason = self._finish_reason or UNFINISHED
        return {**self._fields, "finish_reason": reason, "message": message}

    def _add(self, event: Any) -> None:
        kind = event.get("type") if isinstance(event, Mapping) else None
        if not isinstance(kind, str):
            what = "an object without a type" if isinstance(event, Mapping) else kind_of(event)
            raise ResponseMalformed("chunk", f"must be an event of Cohere's stream, not {what}")
        take = self._take.get(kind)
        if take is not None:
            delta = as_object(event.get("delta"))
            take(event, as_object(delta.get("message")))
        else:
            refuse_foreign_event(kind, "cohere-v2")

    def _start(self, event: Mapping[str, Any], _message: Mapping[str, Any]) -> None:
        self._fields["id"] = event.get("id")

    def _add_plan(self, _event: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        self._plan.append(_text(message.get("tool_plan")))

    def _start_block(self, event: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        self._blocks.open(event, as_object(message.get("content")))
        self._add_block(event, message)

    def _add_block(self, event: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        content = as_object(message.get("content"))
        for kind in ("text", "thinking"):
            self._blocks.add(event, kind, content.get(kind))

    def _start_call(self, event: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        self._calls.open(event, _one_call(message))
        self._add_call(event, message)

    def _add_call(self, event: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        function = as_object(_one_call(message).get("function"))
        self._calls.add(event, "arguments", function.get("arguments"))

    def _cite(self, _event: Mapping[str, Any], message: Mapping[str, Any]) -> None:
        cited = message.get("citations")
        self._citations += cited if isinstance(cited, list) else [cited] if cited else []

    def _end(self, event: Mapping[str, Any], _message: Mapping[str, Any]) -> None:
        delta = as_object(event.get("delta"))
        self._finish_reason = _text(delta.get("finish_reason"))
        self._fields.setdefault("id", event.get("id"))
        for name in ("usage", "error"):
            if delta.get(name):
                self._fields[name] = delta[name]


def _one_call(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the call of an event; some servers send it in an array."""
    calls = message.get("tool_calls")
    return as_object(calls[0] if isinstance(calls, list) and calls else calls)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
