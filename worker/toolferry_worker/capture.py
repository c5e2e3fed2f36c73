"""Capture: what a handler prints belongs to its call, not to the worker's own lines.

`sys.stdout` and `sys.stderr` are replaced once per process by streams that look, at each write,
whether the writing context belongs to a call. Only the first part is kept; the rest is counted, so
that a handler may print as much as it likes. What a handler's child processes and own threads write
is not caught.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, Final, TextIO, cast

#: Characters of one attempt's output that are kept; a log line longer than this helps nobody.
KEPT_CHARACTERS: Final = 64 * 1024


class Print:
    """What one attempt has printed."""

    __slots__ = ("_parts", "_room", "size")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._room = KEPT_CHARACTERS
        #: Characters that were printed, kept or not.
        self.size = 0

    def write(self, text: str) -> None:
        """Take a text, keep it as far as there is room."""
        self.size += len(text)
        if self._room > 0:
            kept = text[: self._room]
            self._room -= len(kept)
            self._parts.append(kept)

    @property
    def text(self) -> str:
        """What was kept."""
        return "".join(self._parts)


_current: ContextVar[Print | None] = ContextVar("toolferry_print", default=None)


class CallStream:
    """A text stream that writes to the call of the writing context, or else where it always did.

    In all but writing it is its original.

    Args:
        original: Where writes of no call go.
    """

    def __init__(self, original: TextIO) -> None:
        self._original = original

    def write(self, text: str) -> int:
        """Write a text; gives its length."""
        printed = _current.get()
        if printed is None:
            return self._original.write(text)
        printed.write(text)
        return len(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several texts."""
        for text in texts:
            self.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def install_capture() -> None:
    """Replace the process's streams, once."""
    if not isinstance(sys.stdout, CallStream):
        sys.stdout = cast("TextIO", CallStream(sys.stdout))
        sys.stderr = cast("TextIO", CallStream(sys.stderr))


class Captured:
    """Catches what this context prints while the block runs."""

    __slots__ = ("_token",)

    def __enter__(self) -> Print:
        printed = Print()
        self._token = _current.set(printed)
        return printed

    def __exit__(self, *_how: object) -> None:
        _current.reset(self._token)
