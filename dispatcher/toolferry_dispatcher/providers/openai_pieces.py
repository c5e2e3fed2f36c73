"""The pieces of a streamed message, and how they are put behind each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

#: Fields of a delta that come in pieces of text.
_SPREAD: Final = frozenset({"content", "refusal", "reasoning", "reasoning_content", "thinking"})
#: Fields of a part or a detail that come in pieces of text.
_SPREAD_IN_PART: Final = frozenset({"text", "thinking", "summary", "refusal"})
#: Whatever changes how deep a JSON text is.
_TURNS: Final = re.compile(r'["\\{}\[\]]')


class WholeObject:
    """Watches a JSON text that comes in pieces, and tells when one object has come to its end."""

    def __init__(self) -> None:
        self._pending: list[str] = []
        self._depth = 0
        self._in_string = False
        self._is_escaped = False
        self._closed = False

    def feed(self, text: str) -> None:
        """Take the next piece; it is looked at only when somebody asks."""
        self._pending.append(text)

    @property
    def is_whole(self) -> bool:
        """Whether what has come is one whole object, as far as its brackets tell."""
        text, self._pending = "".join(self._pending), []
        position = 0
        if self._is_escaped and text:
            position, self._is_escaped = 1, False
        while turn := _TURNS.search(text, position):
            position = turn.end()
            if turn[0] == "\\":
                self._is_escaped = self._in_string and position == len(text)
                position += self._in_string
            elif turn[0] == '"':
                self._in_string = not self._in_string
            elif not self._in_string:
                self._depth += 1 if turn[0] in "{[" else -1
                self._closed = self._depth == 0
        return self._closed and not self._in_string


def add_delta(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    """Put the fields of a delta, without its calls, behind those of a message.

    Texts are kept as lists of their pieces until `joined` gives the message.
    """
    for name, value in delta.items():
        if value is None or name == "tool_calls":
            continue
        if name in _SPREAD and isinstance(value, str | list):
            _pieces(message, name).append(value)
        elif isinstance(value, list):
            _pieces(message, name).extend(value)
        elif isinstance(value, Mapping):
            message[name] = _merged(message.get(name), value)
        else:
            message[name] = value


def _pieces(fields: dict[str, Any], name: str) -> list[Any]:
    """Give the pieces of a field so far; what came before them and is no piece gives way."""
    if not isinstance(fields.get(name), list):
        fields[name] = []
    pieces: list[Any] = fields[name]
    return pieces


def joined(message: Mapping[str, Any]) -> dict[str, Any]:
    """Give the message with its pieces joined."""
    return {name: _joined(name, value) for name, value in message.items()}


def _joined(name: str, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if name not in _SPREAD:
        return _join_parts(value)
    if all(isinstance(piece, str) for piece in value):
        return "".join(value)
    parts: list[Any] = []
    for piece in value:
        said = [{"type": "text", "text": piece}] if isinstance(piece, str) and piece else piece
        parts += said or []
    return _join_parts(parts)


def _join_parts(parts: list[Any]) -> list[Any]:
    """Join neighbours that are pieces of one part: of one type, and one index if they have one."""
    whole: list[dict[str, Any]] = []
    rest: list[Any] = []
    for part in parts:
        if not isinstance(part, Mapping) or not isinstance(part.get("type"), str):
            rest.append(part)
            whole.append({})
        elif rest and isinstance(rest[-1], Mapping) and _is_more_of(rest[-1], part):
            _collect(whole[-1], part)
        else:
            rest.append(part)
            whole.append({})
            _collect(whole[-1], part)
    return [_part(fields) if fields else part for fields, part in zip(whole, rest, strict=True)]


def _is_more_of(before: Mapping[str, Any], part: Mapping[str, Any]) -> bool:
    if any(before.get(name) != part.get(name) for name in ("type", "index")):
        return False
    if before.get("id") and part.get("id") and before["id"] != part["id"]:
        return False
    return any(name in part for name in (*_SPREAD_IN_PART, "signature"))


def _collect(fields: dict[str, Any], part: Mapping[str, Any]) -> None:
    for name, value in part.items():
        if name in _SPREAD_IN_PART and isinstance(value, str | list):
            _pieces(fields, name).append(value)
        elif value is not None or name not in fields:
            fields[name] = value


def _part(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _text_of(value) if name in _SPREAD_IN_PART else value
        for name, value in fields.items()
    }


def _text_of(value: Any) -> Any:
    """Join the pieces of one field of a part: texts, or lists of parts."""
    if not isinstance(value, list):
        return value
    if all(isinstance(piece, str) for piece in value):
        return "".join(value)
    parts: list[Any] = []
    for piece in value:
        parts += piece if isinstance(piece, list) else [piece]
    return _join_parts(parts)


def _merged(before: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    """Put an object that comes in pieces together: sound, or a call of the old form."""
    merged = dict(before) if isinstance(before, Mapping) else {}
    for name, value in more.items():
        if name in {"data", "transcript", "name", "arguments"} and isinstance(value, str):
            begun = merged.get(name)
            merged[name] = begun + value if isinstance(begun, str) else value
        elif value is not None:
            merged[name] = value
    return merged
