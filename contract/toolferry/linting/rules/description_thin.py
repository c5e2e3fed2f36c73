"""A description that repeats the name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    if subject.definition.description.strip() and subject.thin:
        yield Flaw(
            place="description",
            problem="it says no more than the name does",
            mend="say what the tool gives or changes, what it does not do, and when to use it",
        )


RULE: Final = Rule(
    code="TF202",
    name="description-thin",
    severity=Severity.WARNING,
    doc="The description says no more than the name, so nothing helps to choose between tools.",
    bad=({"name": "orders_get", "description": "Gets the order."},),
    good=({"name": "orders_get", "description": "Read one order with its items and its state."},),
    check=_check,
)
