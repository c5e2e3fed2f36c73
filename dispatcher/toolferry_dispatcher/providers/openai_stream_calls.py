"""The calls of a streamed Chat Completions response, put together from their pieces.

The format gives every call an index and repeats it with each piece. Servers that speak it repeat
index 0 for all calls, leave it out, go on under another one, send the id late, with every piece or
made anew for each, and the name twice or in two halves. So:

1. A piece with an id belongs to the call of that id, and opens one when there is none; the open
   call of its index takes the id when it has none yet. With an id that is new, but arguments in
   place of a name, it goes on with that call as long as that is not whole.
2. A piece without an id belongs to the open call of its index, else to the last call.
3. A piece that names a tool and comes after arguments that are whole, or behind another such piece
   of one delta, opens a new call, unless it only says the name again.
4. The same name again is not put behind itself; another one is the rest of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.openai_pieces import WholeObject

#: The fields of a piece that are read here; all others are kept as they come.
_READ: Final = frozenset({"index", "id", "type", "function", "custom"})
_Data = Mapping[str, Any]


class StreamedCalls:
    """The calls of one streamed message, in the order in which they were opened."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}
        self._by_id: dict[str, _Call] = {}
        #: Those that the delta at hand has named.
        self._named: set[_Call] = set()

    def add(self, pieces: object) -> None:
        """Take the `tool_calls` of one delta.

        Raises:
            ResponseMalformed: They are no pieces of calls.
        """
        self._named.clear()
        for piece in pieces if isinstance(pieces, list) else [pieces]:
            if isinstance(piece, Mapping):
                self._take(piece)
            elif piece is not None:
                field = "choices[0].delta.tool_calls"
                raise ResponseMalformed(field, f"must hold objects, not {kind_of(piece)}")

    def items(self) -> list[dict[str, Any]]:
        """Give the calls as they stand in a whole message."""
        return [call.item() for call in self._calls]

    def _take(self, piece: _Data) -> None:
        call = self._owner(piece)
        index = _index_of(piece)
        if call is None or call.is_followed_by(piece) or self._is_sibling(call, piece):
            call = self._open(call, piece)
        if _names(piece):
            self._named.add(call)
        if index is not None:
            self._by_index[index] = call
        call.take(piece)
        if call.call_id:
            self._by_id.setdefault(call.call_id, call)

    def _is_sibling(self, call: _Call, piece: _Data) -> bool:
        """Tell whether a piece stands beside the one of its delta that began a call."""
        return call in self._named and bool(_names(piece)) and not _text(piece.get("id"))

    def _owner(self, piece: _Data) -> _Call | None:
        """Find the call to which a piece belongs, if it goes on with one."""
        call_id, index = _text(piece.get("id")), _index_of(piece)
        at_index = None if index is None else self._by_index.get(index)
        if not call_id:
            last = self._calls[-1] if self._calls else None
            is_foreign = index is not None and at_index is None
            return None if is_foreign and _names(piece) else at_index or last
        if at_index and at_index.call_id in {"", call_id}:
            return at_index
        if index is None and self._calls and not self._calls[-1].call_id and not _names(piece):
            return self._calls[-1]
        same = self._by_id.get(call_id)
        if same is None and at_index and at_index.goes_on_with(piece):
            return at_index
        # Under another index, and with a name, it is another call that was given the same id.
        is_other = same and index is not None and _names(piece) and index not in same.indexes
        return None if is_other else same

    def _open(self, before: _Call | None, piece: _Data) -> _Call:
        call = _Call()
        # Its name came with a piece that looked like a repetition.
        if before is not None and not _names(piece):
            call.name = before.name
        self._calls.append(call)
        return call


class _Call:
    """One call, as far as it has come."""

    def __init__(self) -> None:
        self.call_id = ""
        self.name = ""
        self.indexes: set[int] = set()
        self._kind = "function"
        self._text: list[str] = []
        self._whole = WholeObject()
        self._named_again = False
        self._more: dict[str, Any] = {}
        self._inner: dict[str, Any] = {}

    def is_followed_by(self, piece: _Data) -> bool:
        """Tell whether a piece that could go on with this call begins another one."""
        if self._kind == "custom" or not self._whole.is_whole:
            return False
        name, text = _names(piece), _input_of(piece)[1]
        if not name:
            # The id of this call is repeated by servers that repeat everything.
            return self._named_again and bool(text.strip())
        return bool(text.strip()) or name != self.name

    def goes_on_with(self, piece: _Data) -> bool:
        """Tell whether a piece under another id can only be more of this call's arguments."""
        return bool(_input_of(piece)[1]) and not _names(piece) and not self._whole.is_whole

    def take(self, piece: _Data) -> None:
        """Put a piece behind what is there."""
        self.call_id = self.call_id or _text(piece.get("id"))
        index = _index_of(piece)
        if index is not None:
            self.indexes.add(index)
        inner, text = _input_of(piece)
        if _is_custom(piece):
            self._kind = "custom"
        self._take_name(_text(inner.get("name")))
        if text:
            self._text.append(text)
            self._whole.feed(text)
        self._more |= _said(piece, _READ)
        self._inner |= _said(inner, frozenset({"name", "arguments", "input"}))

    def _take_name(self, name: str) -> None:
        if not name:
            return
        if name == self.name:
            self._named_again = self._whole.is_whole
        else:
            self.name += name

    def item(self) -> dict[str, Any]:
        """Give the call as it stands in a whole message."""
        field = "input" if self._kind == "custom" else "arguments"
        body = {"name": self.name, field: "".join(self._text), **self._inner}
        call_id = {"id": self.call_id} if self.call_id else {}
        return {**call_id, "type": self._kind, self._kind: body, **self._more}


def _input_of(piece: _Data) -> tuple[_Data, str]:
    """Give the inner part of a piece, and the text that it adds; objects are written as JSON."""
    kind, field = ("custom", "input") if _is_custom(piece) else ("function", "arguments")
    inner = _body_of(piece, kind)
    value = inner.get(field)
    if value is None or isinstance(value, str):
        return inner, value or ""
    return inner, json.dumps(value, ensure_ascii=False)


def _is_custom(piece: _Data) -> bool:
    """Tell by what is filled in: some servers send both forms, one of them empty."""
    function, custom = _body_of(piece, "function"), _body_of(piece, "custom")
    says = bool(custom.get("name") or custom.get("input"))
    return says and not (function.get("name") or function.get("arguments"))


def _body_of(piece: _Data, kind: str) -> _Data:
    body = piece.get(kind)
    return body if isinstance(body, Mapping) else {}


def _names(piece: _Data) -> str:
    """Give the name in a piece, or the part of it; empty when there is none."""
    return _text(_input_of(piece)[0].get("name"))


def _index_of(piece: _Data) -> int | None:
    index = piece.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else None


def _said(fields: _Data, but: frozenset[str]) -> dict[str, Any]:
    """Give the fields that say something, except those that are read apart."""
    return {name: value for name, value in fields.items() if name not in but and value is not None}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
