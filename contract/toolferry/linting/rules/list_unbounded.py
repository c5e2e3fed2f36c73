"""A list without a greatest length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        if member.is_a("array") and not member.has("maxItems", "prefixItems", "enum", "const"):
            if _is_closed(member.says("items")):
                continue
            yield Flaw(
                place=member.place,
                problem="it is a list of any length",
                mend="add maxItems: as many elements as one call can do something with",
            )


def _is_closed(items: Any) -> bool:
    """Say whether the elements are choices, of which there are only so many."""
    return isinstance(items, dict) and ("enum" in items or "const" in items)


RULE: Final = Rule(
    code="TF305",
    name="list-unbounded",
    severity=Severity.ADVICE,
    doc="A list has no maxItems, and one call may ask for more than a handler does in its time.",
    bad=(
        taking(ids={"type": "array", "description": "Which orders.", "items": {"type": "string"}}),
    ),
    good=(
        taking(
            ids={
                "type": "array",
                "description": "Which orders.",
                "items": {"type": "string"},
                "maxItems": 20,
            }
        ),
    ),
    check=_check,
)
