"""Legible text: what a model or a handler wrote, as it can be shown to people without harm.

Control characters steer terminals, and marks of direction make a text read as another one. Each
such character is shown as U+FFFD instead.
"""

from __future__ import annotations

import re
from typing import Any, Final

from toolferry.wording import shortened, value_text

#: Controls but tab and newline, marks of direction, invisible marks and tags, half characters.
_HARMFUL: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
#: Characters that are looked at for each that is shown: blanks are joined before the cut.
_LOOKED_AT: Final = 4


def legible(text: str) -> str:
    r"""Give a text that can be shown as it is, on lines of its own.

    >>> legible("a\r\nb\x1b[2J") == "a\nb\N{REPLACEMENT CHARACTER}[2J"
    True
    """
    return _HARMFUL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: str, limit: int) -> str:
    r"""Give the beginning of a text as one legible line of at most `limit` characters.

    Looks at no more of the text than it needs; a cut shows.

    >>> one_line("one\n\n  two", 20), one_line("x" * 1_000_000, 5)
    ('one two', 'xxxx…')
    """
    beginning = text[: _LOOKED_AT * limit]
    line = legible(" ".join(beginning.split()))
    return shortened(line if len(beginning) == len(text) else f"{line} …", limit)


def value_line(value: Any, limit: int) -> str:
    """Write JSON data as one legible line: a text bare, all else as JSON; a cut shows.

    >>> value_line("a.txt", 20), value_line({"a": [1, None]}, 20)
    ('a.txt', '{"a": [1, null]}')
    """
    return one_line(value if isinstance(value, str) else value_text(value, limit), limit)
