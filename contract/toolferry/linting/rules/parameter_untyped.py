"""A parameter whose type nobody told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import TYPES, Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

#: Keywords by which an object says what is in it.
_INSIDE: Final = (
    "properties",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "$ref",
    "enum",
    "const",
    "maxProperties",
)


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        for problem, mend in _wrong(member):
            yield Flaw(place=member.place, problem=problem, mend=mend)


def _wrong(member: Member) -> Iterator[tuple[str, str]]:
    unknown = sorted(member.kinds - TYPES)
    if unknown:
        mend = f"take one of {', '.join(sorted(TYPES))}"
        yield f"its type {unknown[0]} is none of JSON Schema", mend
    elif not member.kinds and not member.has("$ref", "$dynamicRef"):
        yield "it has no type, so anything fits", "give it a type, or the alternatives as anyOf"
    elif member.is_a("object") and not member.has(*_INSIDE):
        yield "it is an object of which nothing is said", "list its properties"
    elif member.is_a("array") and not member.has("items", "prefixItems", "contains"):
        yield "it is a list of which nothing is said", "say with items what each element is"


RULE: Final = Rule(
    code="TF302",
    name="parameter-untyped",
    severity=Severity.WARNING,
    doc="Nothing says what a parameter holds, so what a model sends is checked by nobody.",
    bad=(taking(filter={"type": "object", "description": "Which orders."}),),
    good=(
        taking(
            filter={
                "type": "object",
                "description": "Which orders.",
                "properties": {"open": {"type": "boolean", "description": "Not yet paid."}},
                "additionalProperties": False,
            }
        ),
    ),
    check=_check,
)
