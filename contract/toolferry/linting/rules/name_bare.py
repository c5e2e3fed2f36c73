"""A name of one word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    if len(subject.words) == 1 and not subject.generic:
        yield Flaw(
            place="name",
            problem=f"{subject.definition.name} is one word, without a namespace",
            mend="put what it belongs to before it: texts_translate, not translate",
        )


RULE: Final = Rule(
    code="TF102",
    name="name-without-namespace",
    severity=Severity.ADVICE,
    doc="The name is a single word, which will meet its like as soon as tools are put together.",
    bad=({"name": "translate"},),
    good=({"name": "texts_translate"},),
    check=_check,
)
