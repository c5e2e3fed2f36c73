"""Free text without a longest length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

#: The last words of names of parameters that a model may write at any length.
_FREE: Final = frozenset(
    """
    bio body caption comment comments content essay feedback html markdown message note notes
    prompt query question reason review script sql summary text
    """.split()  # noqa: SIM905 -- a text is easier to read
)
_ID: Final = re.compile(r"\b(?:id|ids|identifiers?|name|title) of\b", re.IGNORECASE)
_BOUNDS: Final = ("maxLength", "enum", "const", "pattern", "format")


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        free = not _FREE.isdisjoint(member.words[-1:]) and not _ID.search(member.description)
        if free and member.is_a("string") and not member.has(*_BOUNDS):
            yield Flaw(
                place=member.place,
                problem="it is free text of any length",
                mend="add maxLength: as many characters as the handler can do something with",
            )


RULE: Final = Rule(
    code="TF304",
    name="text-unbounded",
    severity=Severity.ADVICE,
    doc="A parameter is free text without maxLength, and a model may write as much as it likes.",
    bad=(taking("orders_annotate", note={"type": "string", "description": "What to add."}),),
    good=(
        taking(
            "orders_annotate",
            note={"type": "string", "description": "What to add.", "maxLength": 500},
        ),
    ),
    check=_check,
)
