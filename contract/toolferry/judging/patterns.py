"""Patterns (`pattern`, `patternProperties`), matched in time that grows with the text alone.

Python's `re` tries again from what it tried before: a text of forty characters that a model wrote
can keep it busy for ever, if a tool's pattern is of the wrong kind. pydantic-core has an engine
that cannot, and that is twice as quick. It knows no look-around and no back references; patterns
with those, and with the few spellings that mean something else in it, are left to `re`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from pydantic_core import SchemaError, SchemaValidator, core_schema

#: Parts of a pattern: an escaped character, a set of characters, any other one.
_PARTS: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\.", re.DOTALL)
#: In a set of characters these are more than themselves to the other engine.
_OF_SETS: Final = re.compile(r"\[|&&|--|~~")
#: The ends of a word, to the other engine.
_OF_WORDS: Final = frozenset({r"\<", r"\>"})


def searching(pattern: str) -> Callable[[str], bool]:
    r"""Give what says whether a pattern is found in a text.

    `$` is the very end of a text, as in the patterns of JSON Schema, and not before a last newline.

    Args:
        pattern: One that `re` takes.

    >>> found = searching(r"^(\w+\s?)+$")
    >>> found("one two"), found("a" * 100 + "!")
    (True, False)
    """
    if not any(map(_means_something_else, _PARTS.findall(pattern))):
        try:
            return SchemaValidator(
                core_schema.str_schema(pattern=pattern, regex_engine="rust-regex", strict=True)
            ).isinstance_python
        except SchemaError:  # it uses what that engine does not know
            pass
    search = re.compile(pattern).search
    return lambda text: search(text) is not None


def _means_something_else(part: str) -> bool:
    inside = _ESCAPED.sub("", part[1:-1])
    return part in _OF_WORDS or (part.startswith("[") and _OF_SETS.search(inside) is not None)
