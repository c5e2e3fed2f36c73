"""A description that does not say when to use the tool."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.rule import Rule
from toolferry.linting.subject import Subject

#: Words with which an occasion is told; in doubt, one is.
_OCCASION: Final = re.compile(
    r"\b(?:when\w*|if|use|used|useful|uses|using this|before|after|once|in case|needs?|needed|"
    r"instead|should|prefer\w*|suitable|intended|meant|ideal\w*|help\w*|in order to|so that|"
    r"call this|allow\w*|enabl\w+|assist\w*|purpose\w*|while|during|first|let'?s?)\b",
    re.IGNORECASE,
)


def _check(subject: Subject) -> Iterator[Flaw]:
    text = subject.definition.description
    if subject.english and not subject.thin and not _OCCASION.search(text):
        yield Flaw(
            place="description",
            problem="it does not say when to use the tool",
            mend="name the occasion: use it when …, or: use it before …",
        )


RULE: Final = Rule(
    code="TF204",
    name="description-without-occasion",
    severity=Severity.ADVICE,
    doc="The description names no occasion, so a model that has two such tools picks either.",
    bad=({"name": "orders_get", "description": "Read one order with its items and its state."},),
    good=(
        {
            "name": "orders_get",
            "description": "Read one order with its items. Use it when the order's id is known.",
        },
    ),
    check=_check,
)
