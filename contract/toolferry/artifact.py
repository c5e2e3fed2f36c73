"""The artifact: all of a result of which a model got a part, kept to be read on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from toolferry.wording import clean_text

#: Bytes of an artifact's text in UTF-8; of a longer one the beginning is kept, and says so.
MAX_ARTIFACT_BYTES: Final = 2 * 1024 * 1024

_CURSOR: Final = re.compile(r"(.+:[0-9]{1,9})(?:@([0-9]{1,9}))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Artifact:
    """The whole content of a result that was cut, as text; JSON text of what is none."""

    #: UTF-8.
    text: bytes
    #: The first character that a reader of the result has not read.
    goes_on: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in the artifact of a call."""

    call_key: str
    #: A character, from 0.
    at: int = 0

    def __str__(self) -> str:
        return f"{self.call_key}@{self.at}"

    @classmethod
    def read(cls, text: str) -> Cursor:
        """Read a cursor; the key of a call alone is its beginning.

        >>> Cursor.read("t:0@120"), str(Cursor.read("t:0"))
        (Cursor(call_key='t:0', at=120), 't:0@0')

        Raises:
            ValueError: It is none.
        """
        found = _CURSOR.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r:.80} is no cursor")
        return cls(found[1], int(found[2] or 0))


def artifact_of(text: str, goes_on: int) -> Artifact:
    r"""Make the artifact of a text.

    >>> artifact_of("港口", 1)
    Artifact(text=b'\xe6\xb8\xaf\xe5\x8f\xa3', goes_on=1)
    """
    kept = clean_text(text[:MAX_ARTIFACT_BYTES]).encode()[:MAX_ARTIFACT_BYTES]
    kept_text = kept.decode(errors="ignore")  # without the half of a character at its end
    left_out = len(text) - len(kept_text)
    if not left_out:
        return Artifact(kept, goes_on)
    return Artifact(f"{kept_text}\n[… {left_out:,} characters were not kept …]".encode(), goes_on)
