"""A tool that a model cannot tell from another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    if subject.twin is not None:
        yield Flaw(
            place="name",
            problem=f"a model can hardly tell it from {subject.twin.name}",
            mend="make one tool of the two, or say in name and description how they differ",
        )


RULE: Final = Rule(
    code="TF501",
    name="near-duplicate",
    severity=Severity.WARNING,
    doc="Two tools are all but the same by name or by description, so a model picks either.",
    bad=({"name": "get_orders"}, {"name": "orders_fetch"}),
    good=({"name": "orders_fetch"}, {"name": "invoices_fetch"}),
    check=_check,
)
