"""The tools by which a model reads on in a result of which it got a part."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Final

from pydantic import Field

from toolferry import Answer, LedgerUnavailable, RetryCall, Tool, ToolContext, tool
from toolferry_ledger.result_desk import MAX_PAGE_TOKENS, ResultDesk

#: Tokens of a page when the model says nothing, and at the least.
PAGE_TOKENS: Final = 4_000
MIN_PAGE_TOKENS: Final = 16
#: Matches of one search, and characters that are shown around each, at the most.
MAX_MATCHES: Final = 50
MAX_AROUND: Final = 500
#: Characters of a text that is searched for.
MAX_WANTED: Final = 200
#: Characters of a cursor: a turn id, a colon, a position, an at sign and a place.
_MAX_CURSOR: Final = 240

Place = Annotated[
    str,
    Field(
        min_length=3,
        max_length=_MAX_CURSOR,
        pattern=r"^.+:[0-9]{1,9}(@[0-9]{1,9})?$",
        description="The next_cursor of the result that was cut, or of the page before.",
    ),
]

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
    small; it is no pattern. Gives the matches, each with a cursor for result.read, and a
    next_cursor when there are more. Does not search before the cursor: leave out its end, from the
    @ on, to search in all.
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
