"""What a wire copy of a schema does not say as its original does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Change(StrEnum):
    """What became of a keyword."""

    #: It is not in the copy; the original still enforces it.
    DROPPED = "dropped"
    #: It stands as text in the description, for the model to read.
    MOVED = "moved"
    #: The copy says it in another way, or something near it.
    REWRITTEN = "rewritten"


@dataclass(frozen=True, slots=True)
class Loss:
    """One difference between a tool's schema and its wire copy."""

    #: The tool's own name.
    tool: str
    #: Where it stands, as a JSON pointer in a fragment: of the schema, or of what is written out
    #: in the place of a reference.
    path: str
    #: The keyword; `strict` when it is the whole schema that could not go as strict.
    keyword: str
    what: Change
    #: What stands there instead, or why it does not; a few words.
    detail: str
