"""A name that any tool could have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    if subject.generic:
        yield Flaw(
            place="name",
            problem=f"{subject.definition.name} does not say what it works on",
            mend="name the thing, and the system it belongs to: orders_search, not search",
        )


RULE: Final = Rule(
    code="TF101",
    name="name-generic",
    severity=Severity.WARNING,
    doc="The name is made of words that any tool could have, so a model guesses what it is for.",
    bad=({"name": "search"},),
    good=({"name": "orders_search"},),
    check=_check,
)
