"""The subject: one definition as the rules look at it, taken apart once for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from toolferry.linting.definition import Definition
from toolferry.linting.members import Member, members_of
from toolferry.linting.words import GENERIC, is_english, name_words, stem, text_words

#: Words beside those of the name from which on a description says something, less one.
_FEW: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One definition, its words and its members, and the tool that it could be taken for."""

    definition: Definition
    #: The words of the name.
    words: tuple[str, ...]
    #: The words of the description that say something.
    said: frozenset[str]
    members: tuple[Member, ...]
    #: Whether English words can judge the description.
    english: bool
    #: An earlier tool that a model could not tell from this one; None when there is none.
    twin: Definition | None = None

    @property
    def generic(self) -> bool:
        """Whether any tool could have the name."""
        return bool(self.words) and GENERIC.issuperset(self.words)

    @property
    def thin(self) -> bool:
        """Whether the description says no more than the name does."""
        own = {stem(word) for word in self.words}
        return self.english and len(self.said - own) <= _FEW


def subject_of(definition: Definition, twin: Definition | None = None) -> Subject:
    """Take a definition apart."""
    return Subject(
        definition=definition,
        words=name_words(definition.name),
        said=text_words(definition.description),
        members=members_of(definition.parameters),
        english=is_english(definition.description),
        twin=twin,
    )
