"""A misfit: one thing about a value that its schema does not allow, and where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry.record import record

#: What the schema `false` counts as: it has no keyword.
FALSE: Final = "false"


@record(frozen=True)
class Misfit:
    """A value that does not fit its place."""

    #: Where it stands, from the whole value on.
    path: tuple[str | int, ...]
    #: The keyword that it does not fit, or `FALSE`.
    keyword: str
    #: The schema that holds the keyword.
    schema: Any
    value: Any
    #: The names of members that are not known, of a keyword that allows no others.
    unknown: tuple[str, ...] = ()
    #: Whether more alternatives fit than the one that may.
    is_ambiguous: bool = False
    #: What is wrong by each alternative that the value may have been meant for, where none fits.
    alternatives: tuple[tuple[Misfit, ...], ...] = ()

    @property
    def wanted(self) -> Any:
        """The keyword's value."""
        return self.schema if self.keyword == FALSE else self.schema[self.keyword]

    @property
    def held_to(self) -> Any:
        """The schema that the value has to fit."""
        return self.wanted if self.keyword == "propertyNames" else self.schema

    @property
    def is_of_another_kind(self) -> bool:
        """Whether the value is of no kind that its schema is for, or not the constant it wants."""
        return self.keyword in _OF_A_KIND

    @property
    def is_of_a_constant(self) -> bool:
        """Whether the value is not the one that its schema wants."""
        return self.keyword == "const" or (self.keyword == "enum" and len(self.wanted) == 1)


#: Keywords of the kind of a value.
_OF_A_KIND: Final = frozenset({"type", "enum", "const", FALSE})


def meant(misfit: Misfit) -> Iterator[Misfit]:
    """Give what is wrong by the alternative that a value was meant for, or the misfit itself.

    That is the only one that is for values of its kind and that has no other tag: a member that
    wants to be another constant. It may have another tag where it is the only one of its kind.
    """
    level = len(misfit.path)
    of_its_kind = [one for one in misfit.alternatives if not _is_of_another_kind(one, level)]
    likely = [one for one in of_its_kind if not _has_another_tag(one, level)] or of_its_kind
    if len(likely) != 1:
        yield misfit
        return
    for inner in likely[0]:
        yield from meant(inner)


def _is_of_another_kind(found: tuple[Misfit, ...], level: int) -> bool:
    return any(len(one.path) == level and one.is_of_another_kind for one in found)


def _has_another_tag(found: tuple[Misfit, ...], level: int) -> bool:
    return any(len(one.path) == level + 1 and one.is_of_a_constant for one in found)
