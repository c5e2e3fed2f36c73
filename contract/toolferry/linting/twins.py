"""Twins: tools that a model could not tell from each other, found without comparing all pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from toolferry.linting.definition import Definition
from toolferry.linting.words import SMALL, name_words, stem, text_words

#: Words of a description from which on two equal ones are no accident.
_TELLING_WORDS: Final = 4
#: The share of parameters that two tools that are alike have in common, to be twins.
_SHARED: Final = 0.75
#: Tools of one likeness that a new one is compared with; more would cost, and tell no more.
_MOST_COMPARED: Final = 16
#: Words of a name up to which their order tells nothing: `orders_get`, `get_orders`.
_FREE_WORDS: Final = 4
#: Words of names that tell no tool from another.
_WEAK: Final = (
    frozenset(["api", "by", "data", "detail", "function", "info", "information", "use"]) | SMALL
)
#: Verbs of names that mean the same.
_SAME: Final = MappingProxyType(
    {
        word: words[0]
        for words in (
            ("get", "fetch", "retrieve", "obtain"),
            ("search", "find", "query", "lookup"),
            ("create", "make", "new"),
            ("delete", "remove", "del"),
            ("update", "edit", "modify", "change"),
            ("calculate", "calc", "compute", "calculation", "calculator"),
            ("convert", "conversion", "converter"),
            ("generate", "generator"),
        )
        for word in words
    }
)

#: What a name says: words in any order, or in theirs where that tells tools apart.
_Key = frozenset[str] | tuple[str, ...]


@dataclass(slots=True)
class Twins:
    """The tools seen so far, by what a model tells them apart with."""

    _by_name: dict[_Key, Definition] = field(default_factory=dict)
    _by_likeness: dict[_Key, list[Definition]] = field(default_factory=dict)

    def earlier(self, definition: Definition) -> Definition | None:
        """Give an earlier tool that is all but this one, and remember this one."""
        name, likenesses = _keys(definition.name, definition.description)
        same = self._by_name.setdefault(name, definition) if name else definition
        found = [self._like(definition, key) for key in likenesses]
        return next(filter(None, found), None) if same is definition else same

    def _like(self, definition: Definition, key: _Key) -> Definition | None:
        known = self._by_likeness.setdefault(key, [])
        found = next(_alike(definition, known), None)
        if len(known) < _MOST_COMPARED:
            known.append(definition)
        return found


def with_twins(
    definitions: Iterable[Definition],
) -> Iterator[tuple[Definition, Definition | None]]:
    """Give each definition with an earlier one that a model could not tell from it.

    Two are twins when their names say the same (the order of a few words, capitals and verbs of
    one meaning aside), or when most of their parameters are the same and their names differ in
    plurals only, or their descriptions have the same words.
    """
    twins = Twins()
    for definition in definitions:
        yield definition, twins.earlier(definition)


@lru_cache(maxsize=4096)  # a registry that is strict asks for each tool again and again
def _keys(name: str, description: str) -> tuple[_Key, tuple[_Key, ...]]:
    """Give what a name says, and what makes tools of the same parameters alike."""
    words = tuple(_SAME.get(word, word) for word in name_words(name))
    digits = "".join(letter for letter in name if letter.isdigit())
    exact = _key(words, digits)
    text = text_words(description)
    loose = (_key(tuple(map(stem, words)), digits), text if len(text) >= _TELLING_WORDS else None)
    return exact, tuple(key for key in loose if key)


def _key(words: tuple[str, ...], digits: str) -> _Key:
    telling = tuple(word for word in words if word not in _WEAK)
    if not telling:
        return ()
    ordered = "to" in words or len(telling) > _FREE_WORDS
    return (*telling, digits) if ordered else frozenset((*telling, digits))


def _alike(one: Definition, others: Iterable[Definition]) -> Iterator[Definition]:
    own = _parameter_names(one)
    for other in others:
        theirs = _parameter_names(other)
        if len(own & theirs) >= _SHARED * len(own | theirs):
            yield other


def _parameter_names(definition: Definition) -> frozenset[str]:
    members = definition.parameters.get("properties")
    return frozenset(members) if isinstance(members, dict) else frozenset()
