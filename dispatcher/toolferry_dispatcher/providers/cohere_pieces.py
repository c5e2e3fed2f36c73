"""What comes piece by piece in Cohere's streams: calls, and blocks of content."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry_dispatcher.providers.cohere_calls import as_object


class Pieces:
    """Things of one kind that come piece by piece, in the order in which they were opened."""

    def __init__(self) -> None:
        self._opened: list[tuple[dict[str, Any], dict[str, list[Any]]]] = []
        self._by_index: dict[object, int] = {}

    def open(self, event: Mapping[str, Any], begun: Mapping[str, Any]) -> None:
        """Begin one under the event's index."""
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
        """Give them as the calls of a message."""
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
        """Give them as the blocks of a message's content."""
        return [
            {"type": kind, kind: _joined(pieces[kind])}
            for begun, pieces in self._opened
            for kind in (_kind(begun, pieces),)
            if kind in pieces
        ]


def _kind(begun: Mapping[str, Any], pieces: Mapping[str, Any]) -> str:
    """Tell of what kind a block is: as it says, unless it holds something else."""
    said = begun.get("type")
    return said if isinstance(said, str) and said in pieces else next(iter(pieces), "")


def _joined(pieces: list[Any]) -> Any:
    """Give the text that the pieces make; the one that is no text as it is."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    return pieces[0] if len(pieces) == 1 else "".join(map(str, pieces))


def _index_of(event: Mapping[str, Any]) -> object:
    index = event.get("index")
    return index if isinstance(index, int | str) else None
