"""The names of the repairs, and which of them are made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class Repair(StrEnum):
    """What was put right about the arguments of a call."""

    #: Blank text, `null` or nothing at all was taken for an object without members.
    EMPTY = "empty"
    #: An object came where its JSON text belongs.
    OBJECT_FOR_TEXT = "object_for_text"
    #: All arguments, or a field that wants an array or object, came as a JSON text of themselves.
    ENCODED_TWICE = "encoded_twice"
    #: The object stood in a fence of backticks.
    FENCES = "fences"
    #: Words followed the object.
    TRAILING_WORDS = "trailing_words"
    #: A field that allows one kind of number only, or a boolean, came as its text.
    COERCED = "coerced"
    #: A field that may be left out and cannot be null came as null.
    NULL_DROPPED = "null_dropped"
    #: A member of an enumeration that is no text came as its text.
    ENUM_TEXT = "enum_text"


@dataclass(frozen=True, slots=True)
class Repairs:
    """Which repairs are made.

    All of them, unless told otherwise; `Repairs.NONE` refuses whatever is not as it should be.
    """

    #: Those that are made.
    names: frozenset[Repair] = frozenset(Repair)

    ALL: ClassVar[Repairs]
    NONE: ClassVar[Repairs]

    def without(self, *names: str) -> Repairs:
        """Give the same with some switched off.

        Raises:
            ValueError: One is no name of a repair.

        >>> Repairs.ALL.without("coerced").allow(["coerced"])
        False
        """
        return Repairs(self.names - {Repair(name) for name in names})

    def allow(self, made: tuple[str, ...] | list[str]) -> bool:
        """Tell whether all repairs that were made are switched on."""
        return self.names.issuperset(made)


Repairs.ALL = Repairs()
Repairs.NONE = Repairs(frozenset())
