"""A misfit: one thing about a value that its schema does not allow, and where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry.record import record

#: What the schema `false` counts as: it has no keyword.
FALSE: Final = "false"

#: Keywords by which a value shows which alternative it was meant for.
_OF_A_KIND: Final = frozenset({"type", "enum", FALSE})


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
    #: What is wrong by each alternative, where the value fits none; an alternative that is ruled
    #: out says what rules it out, and perhaps nothing else.
    alternatives: tuple[tuple[Misfit, ...], ...] = ()

    @property
    def wanted(self) -> Any:
        """The keyword's value."""
        return self.schema if self.keyword == FALSE else self.schema[self.keyword]

    def rules_out(self, level: int) -> bool:
        """Tell whether a value was not meant for an alternative in which this is wrong.

        That is so when it is of another kind, or differs in a constant.

        Args:
            level: How deep that value stands, in steps of the path.
        """
        return self.keyword == "const" or (self.keyword in _OF_A_KIND and len(self.path) == level)


def meant(misfit: Misfit) -> Iterator[Misfit]:
    """Give what is wrong by the alternative that a value was meant for, or the misfit itself."""
    level = len(misfit.path)
    likely = [
        inner for inner in misfit.alternatives if not any(one.rules_out(level) for one in inner)
    ]
    if len(likely) != 1:
        yield misfit
        return
    for inner in likely[0]:
        yield from meant(inner)
