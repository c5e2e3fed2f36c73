"""A streamed response of the Messages API, put together into the form of a whole one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.anthropic_pieces import StreamedBlock
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.sse import chunks_in
from toolferry_dispatcher.providers.typed_events import refuse_foreign_event

#: The kind of block that a piece belongs to, for pieces whose block was never announced.
_UNANNOUNCED: Final[Mapping[str, dict[str, Any]]] = {
    "text_delta": {"type": "text", "text": ""},
    "thinking_delta": {"type": "thinking", "thinking": "", "signature": ""},
}


class AnthropicAssembler:
    """Puts one streamed response together, event by event.

    Blocks stand in the order in which they began, whatever their indexes. Events of kinds that are
    not known are passed over, as the API asks for; those of other APIs are refused.
    """

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._blocks: list[StreamedBlock] = []
        #: The block that an index stands for now.
        self._open: dict[int, StreamedBlock] = {}
        self._error: Mapping[str, Any] | None = None

    def add(self, chunk: object) -> None:
        """Take the next event: an SDK's object, a dict, JSON text, or a line of an event stream.

        Raises:
            ResponseMalformed: It is no event of this format; names the field.
        """
        for event in chunks_in(chunk):
            self._add(event)

    def body(self) -> dict[str, Any]:
        """Give the response so far in the form of a whole one.

        One whose end has not come has the stop reason null; one that the provider broke off with
        an error is that error.
        """
        if self._error is not None:
            return dict(self._error)
        content = [block.whole() for block in self._blocks]
        return {
            "type": "message",
            "role": "assistant",
            "stop_reason": None,
            **self._message,
            "content": content,
        }

    def _add(self, event: Any) -> None:
        if not isinstance(event, Mapping) or not isinstance(event.get("type"), str):
            what = "an object without a type" if isinstance(event, Mapping) else kind_of(event)
            raise ResponseMalformed("chunk", f"must be an event of a message stream, not {what}")
        match event["type"]:
            case "message_start" | "message":
                self._begin(event.get("message", event))
            case "content_block_start":
                self._announce(_index_of(event), _object(event, "content_block"))
            case "content_block_delta":
                self._extend(_index_of(event), _object(event, "delta"))
            case "message_delta":
                self._end(event)
            case "error":
                self._error = self._error or event
            case kind:
                refuse_foreign_event(kind, "anthropic")

    def _begin(self, message: Any) -> None:
        """Take the message as it begins; some servers send it whole in one event."""
        if not isinstance(message, Mapping):
            raise ResponseMalformed("message", f"must be an object, not {kind_of(message)}")
        self._message = {name: value for name, value in message.items() if name != "content"}
        content = message.get("content")
        for at, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, Mapping):
                self._announce(at, block)

    def _announce(self, index: int | None, block: Mapping[str, Any]) -> None:
        """Open a block, unless the one that is open there is announced a second time."""
        at = len(self._blocks) if index is None else index
        open_block = self._open.get(at)
        if open_block is not None and open_block.is_announced_again(block):
            return
        self._open[at] = StreamedBlock(block)
        self._blocks.append(self._open[at])

    def _extend(self, index: int | None, delta: Mapping[str, Any]) -> None:
        block = self._block_at(index)
        if block is None:
            unannounced = _UNANNOUNCED.get(str(delta.get("type")))
            if unannounced is None:
                raise ResponseMalformed("index", "is that of a block which has not begun")
            self._announce(index, unannounced)
            block = self._blocks[-1]
        block.add(delta)

    def _block_at(self, index: int | None) -> StreamedBlock | None:
        if index is None:
            return self._blocks[-1] if self._blocks else None
        return self._open.get(index)

    def _end(self, event: Mapping[str, Any]) -> None:
        """Take what is known at the end only; a null never takes back what was said before."""
        for name, value in _object(event, "delta").items():
            if value is not None or name not in self._message:
                self._message[name] = value
        usage, so_far = event.get("usage"), self._message.get("usage")
        if isinstance(usage, Mapping):
            counts = {name: count for name, count in usage.items() if count is not None}
            self._message["usage"] = {**(so_far if isinstance(so_far, Mapping) else {}), **counts}


def _index_of(event: Mapping[str, Any]) -> int | None:
    index = event.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else None


def _object(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = event.get(name)
    if not isinstance(value, Mapping):
        raise ResponseMalformed(name, f"must be an object, not {kind_of(value)}")
    return value
