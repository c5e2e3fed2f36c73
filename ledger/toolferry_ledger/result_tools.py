"""The tools by which a model reads on in a result of which it got a part.

A result is read by those for whom it was made: the tenant and the principal of the call that asks,
and, of those who have no name, the conversation. Both sides of that comparison are signed by a
dispatcher; the model has no say in them. Of any other result it hears the same as of one that was
never made, or never cut.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field

from toolferry import (
    Answer,
    Context,
    Cursor,
    LedgerUnavailable,
    Registry,
    RetryCall,
    Tool,
    ToolContext,
    ToolError,
    estimate_tokens,
    tool,
)
from toolferry.shaping import json_size
from toolferry_ledger.artifacts import Match, matches, page_end, read_artifact
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec

#: Tokens of a page when the model says nothing, at the least and at the most.
PAGE_TOKENS: Final = 4_000
MIN_PAGE_TOKENS: Final = 16
MAX_PAGE_TOKENS: Final = 16_000
#: Matches of one search, and characters that are shown around each, at the most.
MAX_MATCHES: Final = 50
MAX_AROUND: Final = 500
#: Characters of a text that is searched for.
MAX_WANTED: Final = 200
#: Characters that a token has at the most, for the length of a page.
_CHARACTERS_A_TOKEN: Final = 16
#: Characters of a cursor: a turn id, a colon, a position, an at sign and a place.
_MAX_CURSOR: Final = 240
#: On whose behalf calls are made of which nobody said so.
_NOBODY: Final = Context().principal

Place = Annotated[
    str,
    Field(
        min_length=3,
        max_length=_MAX_CURSOR,
        pattern=r"^.+:[0-9]{1,9}(@[0-9]{1,9})?$",
        description="The next_cursor of the result that was cut, or of the page before.",
    ),
]


@dataclass(frozen=True, slots=True)
class ResultDesk:
    """Where the handlers of the result tools read; a worker provides it to them.

    Every method takes the key of the call that asks.

    Args:
        ledger: The records.
        signer: Checks that records are genuine.
        registry: The tools that this process knows; their counters of tokens count.
    """

    ledger: Ledger
    signer: Signer
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
        found, told = 0, list[Match]()
        for found, match in enumerate(matches(whole.text, wanted, whole.cursor.at, around), 1):
            if len(told) == found - 1 < most and (not told or whole.has_room([*told, match])):
                told.append(match)
        is_all = found == len(told)
        return Answer(
            content={"found": found, "matches": whole.told(told)},
            truncated=not is_all,
            next_cursor=None if is_all else whole.cursor_at(told[-1].after),
            source=f"{whole.tool}, from character {whole.cursor.at:,} of {len(whole.text):,}",
        )

    def _find(self, place: str, asker: str) -> _Whole:
        cursor = Cursor.read(place)
        found = {one.call_key: one for one in self.ledger.inspect_calls([cursor.call_key, asker])}
        try:
            wanted = open_spec(self.signer, found[cursor.call_key])
            own = open_spec(self.signer, found[asker])
        except (KeyError, Untrusted) as error:
            raise _no_such_result(place) from error
        text = read_artifact(self.ledger, cursor.call_key) if _may_read(own, wanted) else None
        if text is None:
            raise _no_such_result(place)
        return _Whole(text, cursor, wanted.name, self._counter(wanted.name), self._room(own))

    def _counter(self, name: str) -> Callable[[str], int]:
        made_by = self.registry.get(name)
        return estimate_tokens if made_by is None else made_by.trim.count

    def _room(self, own: Spec) -> int:
        asking = self.registry.get(own.name)
        limit = own.max_result_bytes or (asking.max_result_bytes if asking else None)
        return limit or _ROOM


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

    def has_room(self, told: list[Match]) -> bool:
        shown = sum(self.count(self.text[one.start : one.end]) for one in told)
        return shown <= MAX_PAGE_TOKENS and json_size(self.told(told)) + 64 <= self.room

    def told(self, found: list[Match]) -> list[dict[str, Any]]:
        return [
            {"cursor": self.cursor_at(one.start), "text": self.text[one.start : one.end]}
            for one in found
        ]

    def cursor_at(self, at: int) -> str | None:
        return str(Cursor(self.cursor.call_key, at)) if at < len(self.text) else None


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


#: Bytes of JSON text of a page: 16,000 tokens of any text have room.
_ROOM: Final = 1024 * 1024
_ACCEPTED: Final = {"TF101": "They work on the results of all other tools."}


@tool(
    name="result.read",
    category="results",
    timeout=15,
    max_result_bytes=_ROOM,
    lint_accepted=_ACCEPTED,
)
async def result_read(
    cursor: Place,
    ctx: ToolContext,
    limit: Annotated[
        int,
        Field(ge=MIN_PAGE_TOKENS, le=MAX_PAGE_TOKENS, description="How many tokens to read."),
    ] = PAGE_TOKENS,
) -> Answer:
    """Read on in a result that was cut: its next page.

    Use it when a result says that it is truncated, and what is missing is needed. Gives a part of
    the text and, unless it was the last, a next_cursor. Does not run the tool again.
    """
    return await _ask(lambda desk: desk.read(cursor, limit, ctx.call_key), ctx)


@tool(
    name="result.search",
    category="results",
    timeout=15,
    max_result_bytes=_ROOM,
    lint_accepted=_ACCEPTED,
)
async def result_search(
    cursor: Place,
    text: Annotated[
        str, Field(min_length=1, max_length=MAX_WANTED, description="What to look for.")
    ],
    ctx: ToolContext,
    around: Annotated[
        int,
        Field(ge=0, le=MAX_AROUND, description="Characters to show before and behind each match."),
    ] = 80,
    limit: Annotated[
        int, Field(ge=1, le=MAX_MATCHES, description="How many matches to give.")
    ] = 10,
) -> Answer:
    """Search for a text in a result that was cut, from a cursor on.

    Use it when one place in a long result is needed. Finds plain text, whether letters are large or
    small; it is no pattern. Gives the matches, each with a cursor for result.read. Does not search
    before the cursor: leave out its end, from the @ on, to search in all.
    """
    return await _ask(lambda desk: desk.search(cursor, text, around, limit, ctx.call_key), ctx)


async def _ask(act: Callable[[ResultDesk], Answer], ctx: ToolContext) -> Answer:
    try:
        return await asyncio.to_thread(act, ctx.resource(ResultDesk))
    except LedgerUnavailable as error:
        # What became of it could not be written either: it is asked again when the server is back.
        raise RetryCall(after=1.0, reason="The records of calls could not be read.") from error


_TOOLS: Final = (result_read, result_search)
#: The names of the result tools.
RESULT_TOOL_NAMES: Final = frozenset(one.name for one in _TOOLS)


def result_tools() -> tuple[Tool, ...]:
    """Give the result tools; every worker of the async lane runs them.

    An application that lets models use them registers them where it dispatches:
    `registry.register_all(result_tools())`.
    """
    return _TOOLS
