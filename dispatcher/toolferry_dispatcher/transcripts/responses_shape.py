"""Transcripts of OpenAI Responses: a flat list of items, calls and outputs among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from toolferry.wording import json_text
from toolferry_dispatcher.providers.tool_messages import user_message
from toolferry_dispatcher.transcripts.parts import Entry, Key, Message, Part

_CALLS: Final = frozenset({"function_call", "custom_tool_call"})
_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_OF_AN_OUTPUT: Final = frozenset({"type", "call_id", "output", "id", "status", "name"})
#: Items of people and applications; all others are the model's, or its server's.
_OTHERS: Final = frozenset({"user", "system", "developer"})
#: Messages in the short form, which an application writes and no response holds.
_SHORT: Final = ""


class ResponsesShape:
    """What stands between two items of a person was said at once; outputs stand behind it."""

    def split(self, items: Sequence[Message]) -> list[Entry]:
        """Take a conversation apart: items of one kind that stand together are one entry."""
        entries: list[Entry] = []
        place = 0
        for kind, run in groupby(items, key=_kind_of):
            together = list(run)
            if kind == "output":
                parts = tuple(_part_of(one) for one in together)
                entries.append(Entry(place=place, raw=together, results=parts))
            else:
                calls = tuple(_key_of(one) for one in together if _is_call(one))
                entries.append(Entry(place=place, raw=together, calls=calls))
            place += len(together)
        return entries

    def said(self, entry: Entry) -> object:
        """Give the items as a response has them."""
        return {"output": list(entry.raw)}

    def spoken(self, message: Mapping[str, Any]) -> list[Message]:
        """Give the items."""
        return list(message.get("output", ()))

    def rename(self, said: Sequence[Message], at: int, call_id: str) -> list[Message]:
        """Give one of the calls another id."""
        items = list(said)
        calls = [where for where, item in enumerate(items) if _is_call(item)]
        items[calls[at]] = {**items[calls[at]], "call_id": call_id}
        return items

    def answer(self, part: Part, call: Key) -> Mapping[str, Any]:
        """Give an output that names the call."""
        return {**part.raw, "call_id": call.id}

    def join(self, results: Sequence[Mapping[str, Any]], rest: Sequence[Message]) -> list[Message]:
        """Write the outputs, an item each."""
        return [*map(dict, results), *rest]

    def note(self, text: str) -> Message:
        """Give a message of the user."""
        return user_message(text)

    def tidy(self, messages: list[Message]) -> list[Message]:
        """Give the messages as they are."""
        return messages


def _kind_of(item: Message) -> str:
    kind = _text(item.get("type"))
    if kind in _OUTPUTS:
        return "output"
    return "other" if kind == _SHORT or _text(item.get("role")) in _OTHERS else "model"


def _is_call(item: Message) -> bool:
    return _text(item.get("type")) in _CALLS


def _key_of(item: Message) -> Key:
    return Key(_text(item.get("call_id")), may_wait=item.get("async") is True)


def _part_of(item: Message) -> Part:
    output = item.get("output")
    # What says more than an output does is told with all that it says.
    whole = output if item.keys() <= _OF_AN_OUTPUT else item
    text = whole if isinstance(whole, str) else json_text(whole)
    return Part(Key(_text(item.get("call_id"))), item, text)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
