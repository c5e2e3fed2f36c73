"""Trimming: which part of a result that is too long a model gets to see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

#: Characters of ASCII text that make a token, about; of other text each counts as one.
_ASCII_A_TOKEN: Final = 4


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text, for models of which no tokenizer is at hand.

    Four characters of ASCII are one token, the rule of thumb of OpenAI's help pages ("What are
    tokens and how to count them?"); any other character is one, as most of Chinese, Japanese and
    Korean are for today's tokenizers. For other alphabets that is on the safe side.

    >>> estimate_tokens("four score"), estimate_tokens("港口"), estimate_tokens("")
    (3, 2, 0)
    """
    wide = 0 if text.isascii() else sum(not character.isascii() for character in text)
    return wide - (wide - len(text)) // _ASCII_A_TOKEN


class Keep(StrEnum):
    """Which part of a text stays."""

    #: The beginning: of pages and lists.
    HEAD = "head"
    #: The end: of logs and of what a program has printed.
    TAIL = "tail"
    #: The first two thirds of what has room, and the last: where both tell something.
    ENDS = "ends"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trim:
    """How a result is cut that is too long for a model.

    Raises:
        ValueError: `max_tokens` is under 16, where no sentence has room.
    """

    #: Tokens that the content may have; None: only its bytes are limited.
    max_tokens: int | None = None
    keep: Keep = Keep.HEAD
    #: Counts the tokens of a text. A longer text must not have fewer.
    count: Callable[[str], int] = estimate_tokens

    def __post_init__(self) -> None:
        object.__setattr__(self, "keep", Keep(self.keep))
        if self.max_tokens is not None and self.max_tokens < MIN_TOKENS:
            raise ValueError(f"max_tokens is {self.max_tokens}: it must be {MIN_TOKENS} or more")

    def is_over(self, text: str) -> bool:
        """Tell whether a text has more tokens than it may."""
        return self.max_tokens is not None and self.count(text) > self.max_tokens


#: The least limit of tokens.
MIN_TOKENS: Final = 16


def trim_text(text: str, keep: Keep, fits: Callable[[str], bool], most: int) -> str:
    r"""Give as much of a text as fits; what was left out in its middle or before it shows.

    Args:
        text: The text, too long.
        keep: Which part stays.
        fits: Whether a text is short enough; a longer one must not fit when a shorter does not.
        most: Characters to keep at the most.

    >>> trim_text("abcdefghij" * 9, Keep.ENDS, lambda text: len(text) <= 50, 90)
    'abcdefghijabcd\n[… 70 characters left out …]\nefghij'
    """
    return cut_part(text, keep, count_kept(text, keep, fits, most))


def count_kept(text: str, keep: Keep, fits: Callable[[str], bool], most: int) -> int:
    """Give how many characters of a text stay; the arguments are those of `trim_text`."""
    counts = range(1, min(most, len(text)) + 1)
    # The parts that fit come before those that do not.
    return bisect_right(counts, False, key=lambda count: not fits(cut_part(text, keep, count)))  # noqa: FBT003 -- the key to find


def goes_on_at(keep: Keep, kept: int) -> int:
    """Give the first character that a reader of what was kept has not read.

    >>> [goes_on_at(keep, 9) for keep in Keep]
    [9, 0, 6]
    """
    match keep:
        case Keep.HEAD:
            return kept
        case Keep.TAIL:
            return 0
        case Keep.ENDS:
            return kept - kept // 3


def cut_part(text: str, keep: Keep, count: int) -> str:
    """Give `count` characters of a text, and where it says so what was left out."""
    left_out = f"[… {len(text) - count:,} characters left out …]"
    match keep:
        case Keep.HEAD:
            return text[:count]
        case Keep.TAIL:
            return f"{left_out}\n{text[len(text) - count :]}"
        case Keep.ENDS:
            last = count // 3
            return f"{text[: count - last]}\n{left_out}\n{text[len(text) - last :]}"
