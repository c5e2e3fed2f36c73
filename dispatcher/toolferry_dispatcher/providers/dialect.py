"""Dialects: in what a server differs from the API whose format it speaks. Declared, not guessed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from toolferry import ConfigurationError
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

    `strict`, `parallel_calls` and `streams` say what is asked of the server; the rest says what is
    done to the messages that go back to it. What `refused` does not name goes back unchanged,
    thoughts included.

    Raises:
        ConfigurationError: There is no such word for `strict` or `media`, names stand in one text,
            or `call_id` is no form.
    """

    #: Words may be given as plain text.
    strict: StrictTools = StrictTools.EACH
    #: Whether the model may make several calls in one response. If not, a conversation asks for one
    #: at a time; a response with several is taken all the same.
    parallel_calls: bool = True
    #: Whether responses with calls can be streamed. If not, a conversation refuses to ask for it.
    streams: bool = True
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "strict", _word("strict", self.strict, StrictTools))
        media = frozenset(_word("media", kind, MediaKind) for kind in _names("media", self.media))
        object.__setattr__(self, "media", media)
        object.__setattr__(self, "refused", _names("refused", self.refused))
        if not isinstance(self.call_id, IdForm):
            reason = f"must be an IdForm, not {self.call_id!r:.80}"
            raise ConfigurationError("dialect.call_id", reason)

    def differs_in(self) -> frozenset[str]:
        """Give the names of what is not as in most formats."""
        usual = Dialect()
        return frozenset(
            name for name in self.__slots__ if getattr(self, name) != getattr(usual, name)
        )


_Word = TypeVar("_Word", bound=StrEnum)


def _word(name: str, given: object, words: type[_Word]) -> _Word:
    """Read a word, which may be given as plain text."""
    for word in words:
        if word == given:
            return word
    known = ", ".join(words)
    raise ConfigurationError(f"dialect.{name}", f"{given!r:.80} is none of {known}")


def _names(name: str, given: object) -> frozenset[str]:
    """Read names: one text alone would be taken for its letters."""
    if isinstance(given, str) or not isinstance(given, Collection):
        raise ConfigurationError(f"dialect.{name}", f"must be a set of names, not {given!r:.80}")
    return frozenset(given)
