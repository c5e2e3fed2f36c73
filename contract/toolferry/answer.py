"""The answer: what a handler may return when the content alone does not say it all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A handler's content with what belongs to it.

    A handler may return one instead of bare content, to say where the content comes from or that
    there is more of it.
    """

    #: Anything that can be converted to JSON data.
    content: Any = None
    #: Whether the content is only a part.
    truncated: bool = False
    #: What a following call has to send to go on; None when there is no more.
    next_cursor: str | None = None
    #: Where the content comes from: a file, an address, a table.
    source: str | None = None
    #: The arguments with which the tool's `undo` takes this call back, JSON data of up to 64 KiB;
    #: None when nothing was done that it could take back. Never told to a model.
    undo: Mapping[str, Any] | None = None
