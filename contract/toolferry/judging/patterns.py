"""Patterns (`pattern`, `patternProperties`), matched in time that grows with the text alone.

Python's `re` tries again from what it tried before: a text of forty characters that a model wrote
can keep it busy for ever, if a tool's pattern is of the wrong kind. pydantic-core has an engine
that cannot, and that is twice as quick. It knows no look-around, so what stands first in a pattern
and only looks ahead is matched by itself. A pattern that needs `re` all the same, for other
look-around, back references, or spellings that mean something else to the other engine, is matched
by it, and the linter says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic_core import SchemaError, SchemaValidator, core_schema

if TYPE_CHECKING:
    from toolferry.judging.compiled import Compiled

_Search: TypeAlias = Callable[[str], bool]

#: Parts of a pattern: an escaped character, a set of characters, any other one.
_PARTS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
#: In a set of characters, what is escaped, and what is more than itself to the other engine.
_OF_SETS: Final = re.compile(r"\\.|\[|&&|--|~~", re.DOTALL)
#: To the other engine the ends of a word; and its `\B` stands in an empty text.
_OF_WORDS: Final = frozenset({r"\<", r"\>", r"\B"})
#: Repeats that give nothing back, comments, patterns with blanks, braces that are plain text.
_FOR_PYTHON: Final = re.compile(r"[*+?}]\+|\(\?(?:#|[a-zA-Z]*x)|\\b\{")
_MANY_LINES: Final = re.compile(r"\(\?[a-zA-Z]*m")
#: What begins a group that only looks ahead.
_AHEAD: Final = ("(?=", "(?!")
_OF_GROUPS: Final = {"(": 1, ")": -1}
_REPEATS: Final = ("*", "+", "?", "{")


class Alike:
    """The schemas of members that are named alike: those of `patternProperties`.

    Args:
        schema: The one that holds them, perhaps.
    """

    def __init__(self, _compiled: Compiled, schema: Mapping[str, Any]) -> None:
        schemas = schema.get("patternProperties", {})
        self._schemas = [(searching(pattern), one) for pattern, one in schemas.items()]
        # Most names are found by none of many: that is one look.
        self._is_any = linearly("|".join(f"(?:{pattern})" for pattern in schemas)) or _always

    def of(self, name: str) -> list[Any]:
        """Give the schemas of a member by its name."""
        if not self._schemas or not self._is_any(name):
            return []
        return [one for is_found, one in self._schemas if is_found(name)]


def _always(_text: str) -> bool:
    return True


def searching(pattern: str) -> _Search:
    r"""Give what says whether a pattern is found in a text.

    `$` is the very end of a text, as in the patterns of JSON Schema, and not before a last newline.

    Args:
        pattern: One that `re` takes.

    >>> found = searching(r"^(?=.*\d)(\w+\s?)+$")
    >>> found("one 2"), found("a" * 100 + "!")
    (True, False)
    """
    linear = linearly(pattern)
    if linear is not None:
        return linear
    return partial(_is_found, re.compile(_to_the_very_end(pattern)))


def linearly(pattern: str) -> _Search | None:
    """Give the same in time that grows with the text alone; None for patterns that need `re`."""
    parts = _PARTS.findall(pattern)
    if _FOR_PYTHON.search(pattern) or not _OF_WORDS.isdisjoint(parts):
        return None
    parts = [_plain(part) for part in parts]
    looks, rest = _split(parts)
    searches = [(_compiled(f"^(?:{inner})"), wanted) for inner, wanted in looks]
    last = _compiled(rest)
    if last is None or any(search is None for search, _ in searches):
        return None
    if not searches:
        return last
    return lambda text: (
        last(text)
        and all(search(text) is wanted for search, wanted in searches if search is not None)
    )


def _split(parts: list[str]) -> tuple[list[tuple[str, bool]], str]:
    """Give what looks ahead first, each with whether it is to be found, and the rest."""
    looks: list[tuple[str, bool]] = []
    depths = list(accumulate(_OF_GROUPS.get(part, 0) for part in parts))
    is_one = "|" not in [part for part, depth in zip(parts, depths, strict=True) if not depth]
    at = 1
    while is_one and parts[:1] == ["^"] and "".join(parts[at : at + 3]) in _AHEAD:
        end = at + depths[at:].index(0)
        if "".join(parts[end + 1 : end + 2]) in _REPEATS:
            break
        looks.append(("".join(parts[at + 3 : end]), parts[at + 2] == "="))
        at = end + 1
    return looks, "".join([*parts[:1], *parts[at:]])


def _to_the_very_end(pattern: str) -> str:
    if _MANY_LINES.search(pattern):
        return pattern
    return "".join(r"\Z" if part == "$" else part for part in _PARTS.findall(pattern))


def _compiled(pattern: str) -> _Search | None:
    try:
        return SchemaValidator(
            core_schema.str_schema(pattern=pattern, regex_engine="rust-regex", strict=True)
        ).isinstance_python
    except SchemaError:  # it uses what that engine does not know
        return None


def _plain(part: str) -> str:
    """Give a part of a pattern; of a set of characters one that is no more than it is to Python."""
    if not part.startswith("["):
        return part
    return "[" + _OF_SETS.sub(_escaped, part[1:-1]) + "]"


def _escaped(found: re.Match[str]) -> str:
    text = found[0]
    return text if text.startswith("\\") else f"\\{text[0]}{text[1:]}"


def _is_found(pattern: re.Pattern[str], text: str) -> bool:
    try:
        return pattern.search(text) is not None
    except SystemError:  # some patterns with groups that give nothing back trip over a bug of `re`
        return False
