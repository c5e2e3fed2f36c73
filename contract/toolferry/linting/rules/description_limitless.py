"""A description that does not say what the tool does not do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject

#: Words with which a limit is told; in doubt, one is.
_LIMIT: Final = re.compile(
    r"\b(?:not|no|nor|never|none|only|cannot|\w+n't|without|except\w*|unless|exclud\w+|instead|"
    r"ignor\w+|limit\w*|restrict\w*|at most|at least|up to|maximum|max|minimum|fewer|must|"
    r"require[sd]?|just|solely|within|read-only|until|fails?|errors?|unsupported|nothing)\b",
    re.IGNORECASE,
)


def _check(subject: Subject) -> Iterator[Flaw]:
    text = subject.definition.description
    if subject.english and not subject.thin and not _LIMIT.search(text):
        yield Flaw(
            place="description",
            problem="it does not say what the tool does not do",
            mend="name the limit that people would trip over: what it leaves out or cannot do",
        )


RULE: Final = Rule(
    code="TF203",
    name="description-without-limits",
    severity=Severity.ADVICE,
    doc="The description names no limit, so a model asks for what the tool cannot do.",
    bad=({"name": "orders_get", "description": "Read one order with its items and its state."},),
    good=(
        {
            "name": "orders_get",
            "description": "Read one order with its items. It does not give the customer's data.",
        },
    ),
    check=_check,
)
