"""A misfit: one thing about a value that its schema does not allow, and where it is."""

from __future__ import annotations

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

    @property
    def wanted(self) -> Any:
        """The keyword's value."""
        return self.schema if self.keyword == FALSE else self.schema[self.keyword]

    @property
    def held_to(self) -> Any:
        """The schema that the value has to fit."""
        return self.wanted if self.keyword == "propertyNames" else self.schema
