"""A streamed response of Bedrock Converse, put together into the form of a whole one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.bedrock_body import EVENTS, error_of
from toolferry_dispatcher.providers.bedrock_pieces import StreamedBlock
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.sse import chunks_in

#: Members of chunks of other APIs that are objects and may stand alone; `chunk` is what Bedrock
#: sends of a model in its own format.
_FOREIGN: Final = frozenset({"chunk", "error", "promptFeedback", "usageMetadata", "usage"})


class BedrockAssembler:
    """Puts one streamed response together, event by event, as `boto3` gives them.

    Blocks stand in the order in which they began, whatever their indexes. Events of kinds that are
    not known are passed over; chunks of other APIs are refused.
    """

    def __init__(self) -> None:
        self._stop: dict[str, Any] = {}
        self._metadata: dict[str, Any] = {}
        self._role: Any = "assistant"
        self._blocks: list[StreamedBlock] = []
        #: The block that an index stands for now.
        self._open: dict[int, StreamedBlock] = {}
        self._error: Mapping[str, Any] | None = None

    def add(self, chunk: object) -> None:
        """Take the next event: a dict, JSON text, or a line of an event stream.

        Raises:
            ResponseMalformed: It is no event of this format; names the field.
        """
        for event in chunks_in(chunk):
            self._add(event)

    def body(self) -> dict[str, Any]:
        """Give the response so far in the form of a whole one.

        One whose end has not come has no stop reason; one that the service broke off with an
        error is that error.
        """
        if self._error is not None:
            return dict(self._error)
        content = [block.whole() for block in self._blocks]
        message = {"role": self._role, "content": content}
        return {**self._metadata, "output": {"message": message}, **self._stop}

    def _add(self, event: Any) -> None:
        if not isinstance(event, Mapping) or not event:
            what = "an empty object" if isinstance(event, Mapping) else kind_of(event)
            raise ResponseMalformed("chunk", f"must be an event of a Converse stream, not {what}")
        if error_of(event):
            self._error = self._error or event
        elif not EVENTS & event.keys():
            _require_own(event)
        for name in event.keys() & EVENTS:
            self._take(name, _object(event, name))

    def _take(self, name: str, event: Mapping[str, Any]) -> None:
        match name:
            case "messageStart":
                self._role = event.get("role") or "assistant"
            case "contentBlockStart":
                self._announce(_index_of(event), _object(event, "start"))
            case "contentBlockDelta":
                self._extend(_index_of(event), _object(event, "delta"))
            case "messageStop":
                self._stop = {key: value for key, value in event.items() if value is not None}
            case "metadata":
                self._metadata = dict(event)
            case _:
                pass

    def _announce(self, index: int | None, start: Mapping[str, Any]) -> None:
        """Open a block, unless the one that is open there is announced a second time."""
        at = len(self._blocks) if index is None else index
        open_block = self._open.get(at)
        if open_block is not None and open_block.is_announced_again(start):
            return
        self._open[at] = StreamedBlock(start)
        self._blocks.append(self._open[at])

    def _extend(self, index: int | None, delta: Mapping[str, Any]) -> None:
        """Add a piece to its block; the service announces no blocks of text and of thoughts."""
        block = self._open.get(len(self._blocks) - 1 if index is None else index)
        if block is None:
            if "toolUse" in delta:
                raise ResponseMalformed("contentBlockIndex", "is that of a call not yet begun")
            self._announce(index, {})
            block = self._blocks[-1]
        block.add(delta)


def _require_own(event: Mapping[str, Any]) -> None:
    """Require an event that only a newer service knows: one member that is an object.

    Raises:
        ResponseMalformed: It is of another API; names what tells so.
    """
    for name, value in event.items():
        if len(event) > 1 or not isinstance(value, Mapping) or name in _FOREIGN:
            reason = f"holds {name!r:.80} and is no event of a Converse stream: name its provider"
            raise ResponseMalformed("chunk", reason)


def _index_of(event: Mapping[str, Any]) -> int | None:
    index = event.get("contentBlockIndex")
    return index if isinstance(index, int) and not isinstance(index, bool) else None


def _object(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = event.get(name)
    if not isinstance(value, Mapping):
        raise ResponseMalformed(name, f"must be an object, not {kind_of(value)}")
    return value
