"""The items of a streamed response while they arrive, each in a slot of its own."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from typing import Any

from toolferry_dispatcher.providers.openai_responses_pieces import Part, Piece


class Slot:
    """One item, and the pieces that came for it."""

    def __init__(self, index: int) -> None:
        #: Its place in the output.
        self.index = index
        #: Whether its beginning has come.
        self.is_begun = False
        #: Whether the whole of it has come.
        self.is_done = False
        self._item: dict[str, Any] = {}
        self._pieces: dict[tuple[Part, int], list[Piece]] = {}

    @property
    def kind(self) -> str:
        """The type of the item; that of its pieces as long as nothing else tells it."""
        return text_of(self._item, "type") or next((part.item for part, _ in self._pieces), "")

    @property
    def call_id(self) -> str:
        """Which call it is; empty when it is none, or does not say."""
        return text_of(self._item, "call_id")

    def may_be(self, item: Mapping[str, Any]) -> bool:
        """Tell whether an item may be its own: of its type, and not of another call."""
        call_id = text_of(item, "call_id")
        is_same_call = not (self.call_id and call_id) or self.call_id == call_id
        return self.kind == item.get("type") and is_same_call

    def begin(self, item: Mapping[str, Any]) -> None:
        """Take the item as it was when it began."""
        self.is_begun = True
        if not self.is_done:
            self._item = dict(item)

    def finish(self, item: Mapping[str, Any]) -> None:
        """Take the whole item."""
        self.is_done = True
        self._item = {**self._item, **item}

    def add(self, piece: Piece) -> None:
        """Take a piece of what it says."""
        self._pieces.setdefault((piece.part, piece.index), []).append(piece)

    def item(self) -> dict[str, Any]:
        """Give the item so far: whole where it has come whole, else with what its pieces say."""
        item = {"type": self.kind, **self._item}
        for (part, index), pieces in sorted(self._pieces.items(), key=lambda one: one[0][1]):
            text = _joined(pieces)
            if self.is_done and item.get(part.parts or part.field):
                continue
            if part.parts:
                item[part.parts] = _with_part(item.get(part.parts), part, index, text)
            else:
                item[part.field] = text or item.get(part.field)
        return item


class Slots:
    """The slots of one response."""

    def __init__(self) -> None:
        self._slots: list[Slot] = []
        #: Those that are not done, by the call that they are, in the order in which they began.
        self._open: defaultdict[str, deque[Slot]] = defaultdict(deque)
        self._by_id: dict[str, Slot] = {}
        self._latest: dict[int, Slot] = {}
        self._next_index = 0

    def items(self) -> list[dict[str, Any]]:
        """Give the items so far, in the order of the output."""
        return [slot.item() for slot in sorted(self._slots, key=lambda slot: slot.index)]

    def of_added(self, event: Mapping[str, Any], item: Mapping[str, Any]) -> Slot:
        """Give the slot of an item that begins: a new one, unless something of it came before.

        Two calls with one call id are two items, so that each is answered.
        """
        known = self._by_id.get(text_of(item, "id"))
        if known is None:
            early = self._at(event)
            known = early if early and not early.is_begun and early.may_be(item) else None
        slot = self._named(known or self._new(event), text_of(item, "id"))
        self._open[text_of(item, "call_id")].append(slot)
        return slot

    def of_done(self, event: Mapping[str, Any], item: Mapping[str, Any]) -> Slot:
        """Give the slot of an item that is whole: its own, or the open one that it may be."""
        known = self._by_id.get(text_of(item, "id")) or self._open_one(event, item)
        return self._named(known or self._new(event), text_of(item, "id"))

    def of_piece(self, event: Mapping[str, Any], piece: Piece) -> Slot:
        """Give the slot that a piece belongs to: by id, else the latest one at its place."""
        item_id = text_of(event, "item_id")
        found = self._by_id.get(item_id) or self._at(event)
        if found is None or found.kind != piece.part.item:
            found = self._new(event)
        return self._named(found, item_id)

    def _open_one(self, event: Mapping[str, Any], item: Mapping[str, Any]) -> Slot | None:
        """Give the open slot at the place of an event; where it names none, that of its call."""
        if _index(event) is None and (of_call := self._of_call(text_of(item, "call_id"))):
            return of_call
        at = self._at(event)
        return at if at and not at.is_done and at.may_be(item) else None

    def _of_call(self, call_id: str) -> Slot | None:
        opened = self._open[call_id] if call_id else deque[Slot]()
        while opened:
            slot = opened.popleft()
            if not slot.is_done:
                return slot
        return None

    def _at(self, event: Mapping[str, Any]) -> Slot | None:
        """Give the latest slot at the place of an event; the latest of all when it names none."""
        index = _index(event)
        if index is not None:
            return self._latest.get(index)
        return self._slots[-1] if self._slots else None

    def _new(self, event: Mapping[str, Any]) -> Slot:
        index = _index(event)
        slot = Slot(self._next_index if index is None else index)
        self._slots.append(slot)
        self._latest[slot.index] = slot
        self._next_index = max(self._next_index, slot.index + 1)
        return slot

    def _named(self, slot: Slot, item_id: str) -> Slot:
        if item_id:
            self._by_id[item_id] = slot
        return slot


def text_of(data: Mapping[str, Any], field: str) -> str:
    """Give a field that is text; empty when it is none.

    >>> text_of({"id": None}, "id")
    ''
    """
    value = data.get(field)
    return value if isinstance(value, str) else ""


def _index(event: Mapping[str, Any]) -> int | None:
    index = event.get("output_index")
    return index if isinstance(index, int) and not isinstance(index, bool) and index >= 0 else None


def _joined(pieces: Iterable[Piece]) -> str:
    ordered = sorted(pieces, key=lambda piece: piece.number)
    whole = [piece.text for piece in ordered if piece.is_whole]
    return whole[-1] if whole else "".join(piece.text for piece in ordered)


def _with_part(parts: Any, part: Part, index: int, text: str) -> list[Any]:
    """Give a list of parts with one more, or with its text in the one that is there."""
    listed = list(parts) if isinstance(parts, list) else []
    piece: dict[str, Any] = {"type": part.part, part.field: text}
    if part.part == "output_text":
        piece["annotations"] = []
    if index >= len(listed):
        return [*listed, piece]
    known = listed[index] if isinstance(listed[index], Mapping) else {}
    return [*listed[:index], {**piece, **known, part.field: text}, *listed[index + 1 :]]
