"""A parameter without a description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        if not member.description and not _is_explained(member):
            yield Flaw(
                place=member.place,
                problem="it has no description",
                mend=f"say what {member.name} is, in which form, and what it is when left out",
            )


def _is_explained(member: Member) -> bool:
    """Say whether it is an object of which every member is described."""
    inside = member.says("properties")
    return bool(inside) and isinstance(inside, dict) and all(map(_is_described, inside.values()))


def _is_described(schema: Any) -> bool:
    return isinstance(schema, dict) and bool(schema.get("description"))


RULE: Final = Rule(
    code="TF301",
    name="parameter-undescribed",
    severity=Severity.WARNING,
    doc="A parameter has no description, so a model fills it in by its name alone.",
    bad=(taking(since={"type": "string", "format": "date"}),),
    good=(taking(since={"type": "string", "format": "date", "description": "The first day."}),),
    check=_check,
)
