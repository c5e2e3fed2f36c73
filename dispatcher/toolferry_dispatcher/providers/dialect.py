"""Dialects: in what a server differs from the API whose format it speaks. Declared, not guessed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from toolferry_dispatcher.providers.given import ANY_ID, IdForm
from toolferry_dispatcher.providers.told import MediaKind


class StrictTools(StrEnum):
    """Whether a server holds the model to the schemas of tools that are marked `strict`."""

    #: The mark is refused, or means nothing.
    NONE = "none"
    #: Each tool may be marked or not.
    EACH = "each"
    #: All tools of a request are marked, or none is.
    ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The differences of one server from its base format; the defaults are those of the base.

    `strict`, `parallel_calls` and `streams` say what may be asked of the server; the rest says
    what is done to the messages that go back to it.
    """

    strict: StrictTools = StrictTools.EACH
    #: Whether the model may make several calls in one response.
    parallel_calls: bool = True
    #: Whether responses with calls can be streamed.
    streams: bool = True
    #: The fields of the model's message that hold its thoughts and must go back unchanged.
    returned: frozenset[str] = frozenset()
    #: The fields of the model's message that it sends, and refuses when they come back.
    refused: frozenset[str] = frozenset()
    #: Which ids of calls it takes back.
    call_id: IdForm = ANY_ID
    #: Whether arguments go back as text that holds JSON; else as an object.
    arguments_as_text: bool = True
    #: Whether a message of calls alone may have no content; else it gets an empty text.
    null_content: bool = True
    #: What a message behind the results may show the model; anything else is told in words.
    media: frozenset[MediaKind] = frozenset()
