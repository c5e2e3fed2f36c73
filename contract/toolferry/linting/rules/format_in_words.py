"""A format that stands in the description only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

_ENFORCED: Final = ("format", "pattern", "enum", "const", "contentEncoding", "contentMediaType")
#: What a description says, and the keyword that says the same to the validator.
_TOLD: Final = (
    (
        re.compile(r"\bY{4}-M{2}-D{2}[T ]+'?H{2}:M{2}:S{2}(?:Z|[+-]\S+)", re.IGNORECASE),
        "format: date-time",
    ),
    (
        re.compile(r"\bY{4}-M{2}-D{2}\b(?!['\"]?[T ]*(?:H{2}|\d{2}:))", re.IGNORECASE),
        "format: date",
    ),
    (re.compile(r"\b(?:D{2}([/.-])M{2}|M{2}([/.-])D{2})[/.-]Y{4}\b", re.IGNORECASE), "a pattern"),
    (re.compile(r"(?<![T ])\bH{2}:M{2}(?::S{2})?\b", re.IGNORECASE), "a pattern"),
    (
        re.compile(r"\bISO[ -]?8601\b.{0,40}\b(?:date-?time|timestamp)", re.IGNORECASE),
        "format: date-time",
    ),
)
#: Names of parameters that have one form, the keyword, and words that speak of another form.
_NAMED: Final = (
    (("email",), "format: email"),
    (("email", "address"), "format: email"),
    (("url",), "format: uri"),
    (("uri",), "format: uri"),
    (("uuid",), "format: uuid"),
)
_LOOSE: Final = re.compile(
    r"\b(?:or|natural|relative|path|any|either|list|comma|separated|name|without|scheme|schema|endpoint|various)\b",
    re.IGNORECASE,
)


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        if not member.is_a("string") or member.has(*_ENFORCED) or "format" in member.words:
            continue
        keyword = _told(member.description) or _named(member)
        if keyword:
            yield Flaw(
                place=member.place,
                problem="its form is known, and nothing enforces it",
                mend=f"add {keyword}, so that a wrong form is answered before the handler runs",
            )


def _told(description: str) -> str | None:
    """Give the keyword for the one form that a description tells; None for none or several."""
    found = {keyword for form, keyword in _TOLD if form.search(description)}
    return found.pop() if len(found) == 1 else None


def _named(member: Member) -> str | None:
    if not member.description or _LOOSE.search(member.description):
        return None
    return next((word for ends, word in _NAMED if member.words[-len(ends) :] == ends), None)


RULE: Final = Rule(
    code="TF306",
    name="format-in-words",
    severity=Severity.WARNING,
    doc="The form of a text (a date, a URL) is told in words, so a wrong one reaches the handler.",
    bad=(taking(since={"type": "string", "description": "The first day, as YYYY-MM-DD."}),),
    good=(taking(since={"type": "string", "description": "The first day.", "format": "date"}),),
    check=_check,
)
