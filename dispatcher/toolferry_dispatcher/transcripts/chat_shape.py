"""Transcripts of Chat Completions, and of Cohere, which has its messages from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from toolferry.wording import json_text
from toolferry_dispatcher.providers.tool_messages import user_message
from toolferry_dispatcher.transcripts.parts import Entry, Key, Message, Part

_OF_A_RESULT: Final = frozenset({"role", "content", "tool_call_id", "name"})


class ChatShape:
    """Calls stand in `tool_calls` of an assistant message, each result in a `tool` message."""

    def split(self, messages: Sequence[Message]) -> list[Entry]:
        """Take a conversation apart: `tool` messages that stand together are one entry."""
        entries: list[Entry] = []
        place = 0
        for is_result, run in groupby(messages, key=lambda one: one.get("role") == "tool"):
            together = list(run)
            if is_result:
                parts = tuple(_part_of(one) for one in together)
                entries.append(Entry(place=place, raw=together, results=parts))
            else:
                entries += [
                    Entry(place=place + at, raw=[one], calls=_calls_of(one))
                    for at, one in enumerate(together)
                ]
            place += len(together)
        return entries

    def said(self, entry: Entry) -> object:
        """Give the assistant message, which is what was said even where it speaks of an error."""
        return {name: value for name, value in entry.raw[0].items() if name != "error"}

    def spoken(self, message: Mapping[str, Any]) -> list[Message]:
        """Give the assistant message."""
        return [dict(message)]

    def rename(self, said: Sequence[Message], at: int, call_id: str) -> list[Message]:
        """Give one of the calls another id."""
        calls = [dict(call) for call in said[0]["tool_calls"]]
        calls[at]["id"] = call_id
        return [{**said[0], "tool_calls": calls}]

    def answer(self, part: Part, call: Key) -> Mapping[str, Any]:
        """Give a result that names the call."""
        return {**part.raw, "tool_call_id": call.id}

    def join(self, results: Sequence[Mapping[str, Any]], rest: Sequence[Message]) -> list[Message]:
        """Write the results, one message each."""
        return [*map(dict, results), *rest]

    def note(self, text: str) -> Message:
        """Give a `user` message."""
        return user_message(text)

    def tidy(self, messages: list[Message]) -> list[Message]:
        """Give the messages as they are."""
        return messages


def _calls_of(message: Message) -> tuple[Key, ...]:
    calls = message.get("tool_calls")
    if message.get("role") != "assistant" or not isinstance(calls, list):
        return ()
    return tuple(Key(_text(call.get("id")) if isinstance(call, Mapping) else "") for call in calls)


def _part_of(message: Message) -> Part:
    content = message.get("content")
    # What says more than a result does is told with all that it says.
    whole = content if message.keys() <= _OF_A_RESULT else message
    text = whole if isinstance(whole, str) else json_text(whole)
    return Part(Key(_text(message.get("tool_call_id"))), message, text)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
