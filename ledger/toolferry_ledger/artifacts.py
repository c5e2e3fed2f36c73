"""Reading artifacts: what is kept of results that were cut, a page or some matches at a time.

Places are characters of the whole content, so nothing is ever half a character. Whatever a model
asks for is a bounded amount of work: pages are limited, and what it searches for is plain text,
found in one walk over an artifact of bounded size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from toolferry.trim import Keep, count_kept
from toolferry_ledger.connection import server_errors
from toolferry_ledger.ledger import Ledger

#: Characters that are looked through at once: other threads go on in between.
PIECE: Final = 65_536


@dataclass(frozen=True, slots=True)
class Match:
    """Where a text was found, with what stands around it."""

    #: The characters of the artifact that are shown, from and to.
    start: int
    end: int
    #: Behind the match.
    after: int


def read_artifact(ledger: Ledger, call_key: str) -> str | None:
    """Read all of a result that was cut; None when nothing is kept of such a call.

    Raises:
        LedgerUnavailable: The server does not answer.
    """
    with server_errors(ledger.settings):
        text = ledger.client.hget(f"{ledger.settings.key_prefix}call:{call_key}", "artifact")
    return artifact_text(text)


def artifact_text(kept: Any) -> str | None:
    """Read what a call's record has as its artifact; None when it has none."""
    return kept.decode(errors="replace") if isinstance(kept, bytes) else None


def page_end(text: str, at: int, most: int, fits: Callable[[str], bool]) -> int:
    """Say where a page ends: as far on as fits, and a character at the least.

    Args:
        text: The whole.
        at: Where the page begins.
        most: Characters of a page at the most.
        fits: Whether a part is short enough; a longer one must not fit when a shorter does not.

    >>> page_end("abcdef", 2, 10, lambda part: len(part) <= 3)
    5
    """
    rest = text[at : at + most]
    return min(at + max(1, count_kept(rest, Keep.HEAD, fits, most)), len(text))


def matches(text: str, wanted: str, at: int, around: int) -> Iterator[Match]:
    """Find a text, large and small letters alike; matches do not overlap.

    Args:
        text: Where it is looked for.
        wanted: A character or more.
        at: Where the search begins.
        around: Characters to show before and behind each match.

    >>> list(matches("Port of PORTO", "port", 0, 2))
    [Match(start=0, end=6, after=4), Match(start=6, end=13, after=12)]
    """
    needle = folded(wanted)
    for start in range(at, len(text), PIECE):
        piece = folded(text[start : start + PIECE + len(needle) - 1])
        found = piece.find(needle, max(at - start, 0))
        while found >= 0:
            first, at = start + found, start + found + len(needle)
            yield Match(max(first - around, 0), min(at + around, len(text)), at)
            found = piece.find(needle, at - start)


def folded(text: str) -> str:
    """Make large letters small, one for one: no place in a text moves.

    >>> folded("İO ΟΔΟΣ")
    'io οδοσ'
    """
    return text.replace("İ", "i").lower().replace("ς", "σ")  # noqa: RUF001 -- Greek is meant
