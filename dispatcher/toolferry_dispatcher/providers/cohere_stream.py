"""A streamed Cohere response, put together into the form of a whole one.

Calls and blocks of content each have an index, which a start opens and deltas continue. A start
always opens a new one, even under an index that is taken; a delta without a known index continues
what was opened last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.cohere_body import UNFINISHED
from toolferry_dispatcher.providers.cohere_calls import as_object
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.sse import chunks_in


class CohereAssembler:
    """Puts one streamed response together."""

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._finish_reason = ""
        self._plan: list[str] = []
        self._blocks = _Pieces()
        self._calls = _Pieces()
        self._citations: list[Any] = []

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
        take = _TAKE.get(kind)
        if take is not None:
            delta = as_object(event.get("delta"))
            take(self, event, as_object(delta.get("message")) or delta)

    def _start(self, event: Mapping[str, Any], _delta: Mapping[str, Any]) -> None:
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

    def _end(self, event: Mapping[str, Any], delta: Mapping[str, Any]) -> None:
        self._finish_reason = _text(delta.get("finish_reason"))
        self._fields.setdefault("id", event.get("id"))
        for name in ("usage", "error"):
            if delta.get(name):
                self._fields[name] = delta[name]


class _Pieces:
    """Things of one kind that come piece by piece, in the order in which they were opened."""

    def __init__(self) -> None:
        self._opened: list[tuple[dict[str, Any], dict[str, list[Any]]]] = []
        self._by_index: dict[object, int] = {}

    def open(self, event: Mapping[str, Any], begun: Mapping[str, Any]) -> None:
        self._by_index[_index_of(event)] = len(self._opened)
        self._opened.append((dict(begun), {}))

    def add(self, event: Mapping[str, Any], name: str, piece: object) -> None:
        """Add a piece to what the event's index names, else to what was opened last."""
        if piece is None or piece == "":
            return
        if not self._opened:
            self.open(event, {})
        at = self._by_index.get(_index_of(event), -1)
        self._opened[at][1].setdefault(name, []).append(piece)

    def calls(self) -> list[dict[str, Any]]:
        return [
            {
                **begun,
                "type": "function",
                "function": {
                    **as_object(begun.get("function")),
                    "arguments": _joined(pieces.get("arguments", [])),
                },
            }
            for begun, pieces in self._opened
        ]

    def blocks(self) -> list[dict[str, Any]]:
        return [
            {"type": kind, kind: _joined(pieces[kind])}
            for begun, pieces in self._opened
            for kind in (_kind(begun, pieces),)
            if kind in pieces
        ]


def _kind(begun: Mapping[str, Any], pieces: Mapping[str, Any]) -> str:
    """Tell of what kind a block is: as it says, unless it holds something else."""
    said = _text(begun.get("type"))
    return said if said in pieces else next(iter(pieces), "")


def _joined(pieces: list[Any]) -> Any:
    """Give the text that the pieces make; the one that is no text as it is."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    return pieces[0] if len(pieces) == 1 else "".join(map(str, pieces))


def _index_of(event: Mapping[str, Any]) -> object:
    index = event.get("index")
    return index if isinstance(index, int | str) else None


def _one_call(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the call of an event; some servers send it in an array."""
    calls = message.get("tool_calls")
    return as_object(calls[0] if isinstance(calls, list) and calls else calls)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


_Take = Callable[[CohereAssembler, Mapping[str, Any], Mapping[str, Any]], None]

#: What each event does; all others only frame these.
_TAKE: Final[Mapping[str, _Take]] = MappingProxyType(
    {
        "message-start": CohereAssembler._start,
        "tool-plan-delta": CohereAssembler._add_plan,
        "content-start": CohereAssembler._start_block,
        "content-delta": CohereAssembler._add_block,
        "tool-call-start": CohereAssembler._start_call,
        "tool-call-delta": CohereAssembler._add_call,
        "citation-start": CohereAssembler._cite,
        "message-end": CohereAssembler._end,
    }
)

#: The events of a stream.
EVENTS: Final = frozenset(
    {*_TAKE, "content-end", "tool-call-end", "citation-end", "debug"}
)
