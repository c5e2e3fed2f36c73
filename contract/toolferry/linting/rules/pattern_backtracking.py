"""A pattern that may take for ever."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from toolferry.formats import is_regex
from toolferry.judging.patterns import linearly
from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        patterns = [facet["pattern"] for facet in member.facets if "pattern" in facet]
        if any(is_regex(pattern) and linearly(pattern) is None for pattern in patterns):
            yield Flaw(
                place=member.place,
                problem="its pattern can only be matched by trying again and again",
                mend="write it without look-around, back references and sets in sets",
            )


RULE: Final = Rule(
    code="TF312",
    name="pattern-backtracking",
    severity=Severity.ADVICE,
    doc="A pattern needs an engine that tries again, which some texts keep busy for very long.",
    bad=(
        taking(code={"type": "string", "description": "Which.", "pattern": "(?=.*[0-9]).+"}),
        taking(code={"type": "string", "description": "Which.", "pattern": r"^(.+)-\1$"}),
    ),
    good=(
        taking(code={"type": "string", "description": "Which.", "pattern": "^(?=.*[0-9]).+"}),
        taking(code={"type": "string", "description": "Which.", "pattern": "[0-9]"}),
    ),
    check=_check,
)
