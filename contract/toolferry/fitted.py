"""An error that the model can mend, held to 1 KB: what helps least goes first."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from toolferry.codes import ErrorCode
from toolferry.wording import clean_text, json_text

#: Bytes of such an error as JSON text.
MAX_ERROR: Final = 1024
#: The codes of errors that are about the call as it was written.
MENDABLE: Final = frozenset(
    {
        ErrorCode.UNKNOWN_TOOL,
        ErrorCode.INVALID_JSON,
        ErrorCode.MULTIPLE_OBJECTS,
        ErrorCode.TOO_DEEP,
        ErrorCode.TRUNCATED,
        ErrorCode.SCHEMA,
    }
)
#: What policies say of a call beside its error.
_BESIDE: Final = frozenset({"changed", "notes"})
#: How much of each part is kept, in bytes, from what helps least: 0 leaves it out.
_STEPS: Final = (
    ("example", 0),
    ("allowed", 0),
    ("suggestion", 160),
    ("message", 480),
    ("source", 0),
    ("expected", 0),
    ("got", 0),
    ("closest", 0),
    ("message", 200),
    ("suggestion", 60),
    ("path", 0),
)
#: A JSON text from its first quote on, as far as no escape in it is cut.
_WITH_WHOLE_ESCAPES: Final = re.compile(r'"(?:[^\\]+|\\[^u]|\\u.{4})*')


def fitted(error: dict[str, Any]) -> dict[str, Any]:
    """Give an envelope of at most 1 KB, what policies say beside it not counted.

    >>> fitted({"message": "x" * 2000, "effect": "none"})["message"][-3:]
    'xx…'
    """
    excess = _size(error) - MAX_ERROR
    for name, size in _STEPS:
        if excess <= 0:
            break
        before, error = error, _cut(error, name, size)
        excess -= _size_of(before, name) - _size_of(error, name)
    return error


def _cut(error: dict[str, Any], name: str, size: int) -> dict[str, Any]:
    """Give an error with less of one part."""
    if size == 0:
        return {key: value for key, value in error.items() if key != name}
    text = error.get(name, "")
    return error if _bytes(text) <= size else {**error, name: _shortened(text, size)}


def _shortened(text: str, size: int) -> str:
    """Cut a text to so many bytes as JSON; the cut shows."""
    written = clean_text(json_text(text[:size])).encode()
    # In place of what is cut, and maybe of half an escape, stand three bytes and a quote.
    kept = written[: size - len('…"'.encode())].decode(errors="ignore")
    whole = _WITH_WHOLE_ESCAPES.match(kept)
    shown: str = json.loads(f'{whole[0] if whole else ""}"')
    return f"{shown}…"


def _size(error: dict[str, Any]) -> int:
    return _bytes({name: value for name, value in error.items() if name not in _BESIDE})


def _size_of(error: dict[str, Any], name: str) -> int:
    """Give the bytes that one part takes, with the comma before it."""
    return _bytes({name: error[name]}) - 1 if name in error else 0


def _bytes(value: Any) -> int:
    return len(clean_text(json_text(value)).encode())
