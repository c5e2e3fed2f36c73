"""An example or a default that the schema refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry.errors import SchemaInvalid
from toolferry.faults import fault_text
from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import TYPES, Member, kind_names
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject
from toolferry.validator import ArgumentValidator
from toolferry.wording import value_text


def _check(subject: Subject) -> Iterator[Flaw]:
    yield from _examples(subject)
    for member in subject.members:
        for place, value in _samples(member):
            if not _fits(member, value):
                yield Flaw(
                    place=f"{member.place}.{place}",
                    problem=f"{value_text(value, 40)} does not fit its own schema",
                    mend="correct it, or let the schema allow it",
                )


def _examples(subject: Subject) -> Iterator[Flaw]:
    definition = subject.definition
    if not definition.examples:
        return
    try:
        validator = ArgumentValidator(definition.name, definition.parameters)
    except SchemaInvalid:  # registering says so
        return
    for number, example in enumerate(definition.examples):
        for fault in validator.faults(example):
            yield Flaw(
                place=f"examples[{number}]",
                problem=f"it does not fit the schema: {fault_text(fault)}",
                mend="correct it: a model follows an example more than a schema",
            )


def _samples(member: Member) -> Iterator[tuple[str, Any]]:
    if "default" in member.schema:
        yield "default", member.schema["default"]
    examples = member.schema.get("examples")
    if isinstance(examples, list):
        yield from ((f"examples[{number}]", one) for number, one in enumerate(examples))


def _fits(member: Member, value: Any) -> bool:
    """Say whether a value has the type and is one of the choices; in doubt it is."""
    choices = member.schema.get("enum")
    if isinstance(choices, list) and not any(_equal(value, choice) for choice in choices):
        return False
    known = member.kinds and member.kinds <= TYPES and not member.has("$ref", "$dynamicRef")
    return not known or not member.kinds.isdisjoint(kind_names(value))


def _equal(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) is isinstance(other, bool)


RULE: Final = Rule(
    code="TF311",
    name="example-unfit",
    severity=Severity.ERROR,
    doc="An example or a default does not fit the schema; a model follows it and is refused.",
    bad=(
        taking(limit={"type": "integer", "description": "How many orders.", "default": "ten"}),
        {**taking(id={"type": "string", "description": "Which."}), "examples": [{"id": 7}]},
    ),
    good=(
        taking(limit={"type": "integer", "description": "How many orders.", "default": 10}),
        {**taking(id={"type": "string", "description": "Which."}), "examples": [{"id": "A7"}]},
    ),
    check=_check,
)
