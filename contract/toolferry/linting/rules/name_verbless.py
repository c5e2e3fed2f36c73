"""A name without a verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject
from toolferry.linting.words import is_english, is_verb


def _check(subject: Subject) -> Iterator[Flaw]:
    name = subject.definition.name
    if subject.words and is_english(name) and not any(map(is_verb, subject.words)):
        yield Flaw(
            place="name",
            problem=f"{name} has no verb: it names a thing, not what is done",
            mend="add the verb: invoices_get, not invoices",
        )


RULE: Final = Rule(
    code="TF103",
    name="name-without-verb",
    severity=Severity.WARNING,
    doc="The name has no verb, so it may as well read, write or delete what it names.",
    bad=({"name": "invoice_status"},),
    good=({"name": "invoice_status_get"},),
    check=_check,
)
