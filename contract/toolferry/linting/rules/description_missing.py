"""No description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    if not subject.definition.description.strip():
        yield Flaw(
            place="description",
            problem="it is empty",
            mend="say what the tool does, what it does not do, and when to use it",
        )


RULE: Final = Rule(
    code="TF201",
    name="description-missing",
    severity=Severity.ERROR,
    doc="There is no description: a model has only the name to go by.",
    bad=({"name": "orders_get", "description": ""},),
    good=({"name": "orders_get", "description": "Read one order with its items and its state."},),
    check=_check,
)
