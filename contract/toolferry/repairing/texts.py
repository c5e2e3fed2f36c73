"""What may stand around the JSON text of an object: each repair finds the object's own text.

Asked only of text that is no JSON object as it stands, so that a fence or a quote within a value
is never touched. Whatever is found here still has to be read strictly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from toolferry.repairing.repair import Repair

_FENCE: Final = "```"
#: The word behind a fence that names its language.
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9_+-]*\s*")
#: What may follow an object as words: it begins with a letter or a mark of prose, and holds no
#: brace, which could belong to another object.
_WORDS: Final = re.compile(r"[^\W\d_]|[(*#>`~.!?\u2013\u2014-]")
_LETTER: Final = re.compile(r"[^\W\d_]")
#: Characters of trailing words, and opening brackets in them; longer texts are no afterthought.
MAX_WORDS: Final = 2_000
_MAX_BRACKETS: Final = 20
_DECODER: Final = json.JSONDecoder()

#: Gives the text of the object that a text holds; None when this is not what is the matter.
Unwrap = Callable[[str], str | None]


def decoded(text: str) -> str | None:
    r"""Give the text that was written as a JSON string once more.

    >>> decoded('"{\\"a\\": 1}"')
    '{"a": 1}'
    """
    if not text.strip().startswith('"'):
        return None
    value = _value(text)
    return value if isinstance(value, str) and value.strip().startswith("{") else None


def unfenced(text: str) -> str | None:
    r"""Give what stands in the one fence around the whole text.

    >>> unfenced('```json\n{"a": 1}\n```')
    '{"a": 1}'
    """
    stripped = text.strip()
    if not (stripped.startswith(_FENCE) and stripped.endswith(_FENCE)):
        return None
    inner = stripped[len(_FENCE) : -len(_FENCE)]
    language = _LANGUAGE.match(inner)
    inner = inner[language.end() if language else 0 :].rstrip()
    return inner if inner.startswith("{") else None


def without_words(text: str) -> str | None:
    r"""Give the object at the beginning of a text that goes on in words.

    >>> without_words('{"a": 1}\n\nSee [docs] for more.')
    '{"a": 1}'
    >>> without_words('{"a": 1} [1]') is None
    True
    """
    start = text.lstrip()
    if not start.startswith("{"):
        return None
    try:
        _, end = _DECODER.raw_decode(start)
    except (ValueError, RecursionError):
        return None
    return start[:end] if _are_words(start[end:].strip()) else None


def _are_words(rest: str) -> bool:
    """Tell whether a text is prose, and holds nothing that JSON could mean."""
    if len(rest) > MAX_WORDS or not _WORDS.match(rest) or not _LETTER.search(rest):
        return False
    if "{" in rest or "}" in rest or rest.count("[") > _MAX_BRACKETS:
        return False
    return not _is_json(rest) and not any(
        _starts_json(rest, place) for place, one in enumerate(rest) if one == "["
    )


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _starts_json(text: str, place: int) -> bool:
    try:
        _DECODER.raw_decode(text, place)
    except ValueError:
        return False
    return True


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


#: The repairs of a text, in the order in which they are tried.
OF_TEXTS: Final[Mapping[Repair, Unwrap]] = MappingProxyType(
    {
        Repair.ENCODED_TWICE: decoded,
        Repair.FENCES: unfenced,
        Repair.TRAILING_WORDS: without_words,
    }
)
