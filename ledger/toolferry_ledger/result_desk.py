"""The desk of the result tools: all of a result, for those who may read it.

A result is read by those for whom it was made: the tenant and the principal of the call that asks,
and, of those who have no name, the conversation. Both sides of that comparison are signed by a
dispatcher; the model has no say in them. Of any other result it hears the same as of one that was
never made, or never cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol

from toolferry import Answer, Context, Cursor, Registry, ToolError, estimate_tokens
from toolferry.limits import DEFAULT_RESULT_BYTES
from toolferry.shaping import json_size
from toolferry_ledger.artifacts import Match, matches, page_end, read_artifact
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec

#: Tokens of a page, or of all that a search shows, at the most.
MAX_PAGE_TOKENS: Final = 16_000
#: Characters that a token has at the most, for the length of a page.
_CHARACTERS_A_TOKEN: Final = 16
#: Bytes of JSON text around the matches of a search.
_FRAME: Final = 64
#: On whose behalf calls are made of which nobody said so.
_NOBODY: Final = Context().principal


class Archive(Protocol):
    """Where calls and what is kept of their results are found."""

    def specs(self, call_keys: Sequence[str]) -> Mapping[str, Spec]:
        """Give the specs of calls; those that are not there, or not genuine, are left out."""

    def artifact(self, call_key: str) -> str | None:
        """Give all of a result that was cut; None when nothing is kept of such a call."""


@dataclass(frozen=True, slots=True)
class LedgerArchive:
    """The records of a ledger.

    Args:
        ledger: The records.
        signer: Checks that they are genuine.
    """

    ledger: Ledger
    signer: Signer

    def specs(self, call_keys: Sequence[str]) -> Mapping[str, Spec]:
        """Give the specs of calls; those that are not there, or not genuine, are left out.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        found = {}
        for one in self.ledger.inspect_calls(call_keys):
            with suppress(Untrusted):
                found[one.call_key] = open_spec(self.signer, one)
        return found

    def artifact(self, call_key: str) -> str | None:
        """Give all of a result that was cut; None when nothing is kept of such a call.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        return read_artifact(self.ledger, call_key)


@dataclass(frozen=True, slots=True)
class ResultDesk:
    """Where the handlers of the result tools read; a worker provides it to them.

    Every method takes the key of the call that asks.

    Args:
        archive: Where results are kept.
        registry: The tools that this process knows; their counters of tokens count.
    """

    archive: Archive
    registry: Registry

    def read(self, place: str, tokens: int, asker: str) -> Answer:
        """Give a page of the whole content.

        Args:
            place: A cursor.
            tokens: What the page may have.
            asker: The call that asks.

        Raises:
            ToolError: There is no such result, as far as the asker may know.
            LedgerUnavailable: The server does not answer.
        """
        whole = self._find(place, asker)
        start = min(whole.cursor.at, len(whole.text))
        most = min(tokens * _CHARACTERS_A_TOKEN, whole.room)
        end = page_end(whole.text, start, most, lambda part: whole.fits(part, tokens))
        return Answer(
            content=whole.text[start:end],
            truncated=end < len(whole.text),
            next_cursor=whole.cursor_at(end),
            source=f"{whole.tool}, characters {start:,} to {end:,} of {len(whole.text):,}",
        )

    def search(self, place: str, wanted: str, around: int, most: int, asker: str) -> Answer:
        """Give the matches of a text behind a place.

        Args:
            place: A cursor.
            wanted: What to look for.
            around: Characters to show before and behind each match.
            most: Matches to give.
            asker: The call that asks.

        Raises:
            ToolError: There is no such result, as far as the asker may know.
            LedgerUnavailable: The server does not answer.
        """
        whole = self._find(place, asker)
        told, is_all = whole.take(matches(whole.text, wanted, whole.cursor.at, around), most)
        return Answer(
            content=whole.told(told),
            truncated=not is_all,
            next_cursor=None if is_all else whole.cursor_at(told[-1].after),
            source=f"{whole.tool}, from character {whole.cursor.at:,} of {len(whole.text):,}",
        )

    def _find(self, place: str, asker: str) -> _Whole:
        cursor = _read_cursor(place)
        specs = self.archive.specs([cursor.call_key, asker])
        wanted, own = specs.get(cursor.call_key), specs.get(asker)
        if wanted is None or own is None or not _may_read(own, wanted):
            raise _no_such_result(place)
        text = self.archive.artifact(cursor.call_key)
        if text is None:
            raise _no_such_result(place)
        return _Whole(text, cursor, wanted.name, self._counter(wanted.name), self._room(own))

    def _counter(self, name: str) -> Callable[[str], int]:
        made_by = self.registry.get(name)
        return estimate_tokens if made_by is None else made_by.trim.count

    def _room(self, own: Spec) -> int:
        asking = self.registry.get(own.name)
        limit = own.max_result_bytes or (asking.max_result_bytes if asking else None)
        return limit or DEFAULT_RESULT_BYTES


@dataclass(frozen=True, slots=True)
class _Whole:
    """An artifact, as somebody reads it."""

    text: str
    cursor: Cursor
    #: Whose result it is.
    tool: str
    count: Callable[[str], int]
    #: Bytes of JSON text that an answer may have.
    room: int

    def fits(self, part: str, tokens: int) -> bool:
        return self.count(part) <= tokens and json_size(part) <= self.room

    def take(self, found: Iterator[Match], most: int) -> tuple[list[Match], bool]:
        """Take matches while they have room, the first in any case; tell whether these are all."""
        told: list[Match] = []
        for match in found:
            if told and (len(told) == most or not self.has_room([*told, match])):
                return told, False
            told.append(match)
        return told, True

    def has_room(self, told: list[Match]) -> bool:
        shown = sum(self.count(self.text[one.start : one.end]) for one in told)
        return shown <= MAX_PAGE_TOKENS and json_size(self.told(told)) + _FRAME <= self.room

    def told(self, found: list[Match]) -> list[dict[str, Any]]:
        return [
            {"cursor": self.cursor_at(one.start), "text": self.text[one.start : one.end]}
            for one in found
        ]

    def cursor_at(self, at: int) -> str | None:
        return str(Cursor(self.cursor.call_key, at)) if at < len(self.text) else None


def _read_cursor(place: str) -> Cursor:
    try:
        return Cursor.read(place)
    except ValueError as error:
        raise _no_such_result(place) from error


def _may_read(own: Spec, wanted: Spec) -> bool:
    mine, theirs = own.context, wanted.context
    if (mine.tenant, mine.principal) != (theirs.tenant, theirs.principal):
        return False
    return mine.principal != _NOBODY or own.conversation_id == wanted.conversation_id


def _no_such_result(place: str) -> ToolError:
    return ToolError(
        "no_such_result",
        f"Nothing is kept to be read at {place}.",
        suggestion="Use the next_cursor of a result that was cut.",
    )
