"""What a transcript consists of, whichever format it is in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

#: A message of a provider, as it is stored.
Message = dict[str, Any]


class WireRule(StrEnum):
    """What a provider refuses a conversation for."""

    #: A call has no result.
    CALL_WITHOUT_RESULT = "call_without_result"
    #: A result names a call that is not in the conversation.
    RESULT_WITHOUT_CALL = "result_without_call"
    #: A call has a second result.
    RESULT_TWICE = "result_twice"
    #: Results do not stand right behind their calls, in the calls' order.
    RESULT_MISPLACED = "result_misplaced"
    #: An id is used again.
    ID_TWICE = "id_twice"
    #: A call has an id, a name or arguments that would be refused, or lacks one.
    CALL_ILLEGAL = "call_illegal"
    #: Two messages of one role stand side by side where roles have to alternate.
    ROLES_ALIKE = "roles_alike"
    #: A message holds what no request can carry: half a character, or a number that is none.
    UNSENDABLE = "unsendable"
    #: What the model said cannot be read at all; it stays as it is.
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class WireFault:
    """One rule that a conversation breaks."""

    rule: WireRule
    #: Which message, counted from 0.
    message: int
    #: One sentence: what is wrong there.
    detail: str


@dataclass(frozen=True, slots=True)
class Key:
    """What a result and its call know each other by."""

    #: Empty where a call has none, as in Gemini's format.
    id: str
    #: The tool's name, in formats where it counts; else empty.
    name: str = ""
    #: Whether the call may stay open: its result may stand in any later turn, or nowhere yet.
    may_wait: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One result as it is stored; one that is written twice is two parts."""

    key: Key
    raw: Mapping[str, Any]
    #: What it says.
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Messages that belong together: what the model said at once, or the results of its calls."""

    #: Where its first message stands.
    place: int
    raw: Sequence[Message]
    #: The calls that it makes, in their order.
    calls: tuple[Key, ...] = ()
    results: tuple[Part, ...] = ()
    #: What it says besides results.
    rest: Sequence[Message] = ()


class Shape(Protocol):
    """Where calls and results stand in the messages of one format. Pure."""

    def split(self, messages: Sequence[Message]) -> list[Entry]:
        """Take a conversation apart."""

    def said(self, entry: Entry) -> object:
        """Give what the model said in the form that its provider reads."""

    def spoken(self, message: Mapping[str, Any]) -> list[Message]:
        """Give the messages of what a provider has read and put right."""

    def rename(self, said: Sequence[Message], at: int, call_id: str) -> list[Message]:
        """Give one of the calls another id."""

    def answer(self, part: Part, call: Key) -> Mapping[str, Any]:
        """Give a result that names its call."""

    def join(self, results: Sequence[Mapping[str, Any]], rest: Sequence[Message]) -> list[Message]:
        """Write results, and behind them what was said with them."""

    def note(self, text: str) -> Message:
        """Give a message of a person."""

    def tidy(self, messages: list[Message]) -> list[Message]:
        """Put together what the format has as one message."""
