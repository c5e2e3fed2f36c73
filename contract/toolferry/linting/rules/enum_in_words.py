"""Choices that stand in the description only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

_CLOSED: Final = ("enum", "const", "pattern", "format")
#: A short value in quotes, without what belongs to sentences and formats.
_QUOTED: Final = (
    r"""(?:'[\w./+-]{1,30}'|"[\w./+-]{1,30}"|`[\w./+-]{1,30}`|\*\*[\w./+-]{1,30}\*\*)"""
)
_NOTE: Final = r"(?:\s*\([^()]{1,80}\)|\s+for [\w ]{1,40}?)?"
_AND: Final = r"\s*(?:,\s*(?:or|and)?|/|\||;|\bor\b|\band\b)\s*"
_QUOTED_LIST: Final = rf"{_QUOTED}{_NOTE}(?:{_AND}{_QUOTED}{_NOTE})+"
_BARE: Final = r"[A-Za-z][\w-]{0,24}"
_BARE_LIST: Final = rf"{_BARE}(?:\s*(?:,|\||/)\s*{_BARE})*\s*(?:,?\s*\bor\b|,|\||/)\s*{_BARE}"

#: Words after which a list is all that there is.
_CLOSING: Final = (
    r"(?:one of(?: the following)?(?: values)?|either|(?:possible|allowed|valid|accepted|supported|"
    r"available|acceptable) (?:values|options|types|choices)(?: are| include)?|options(?: are)?|"
    r"choices(?: are)?|choose (?:from|between)|can (?:only )?be(?: either)?|must be(?: either)?|"
    r"could be(?: either)?|should be(?: either)?|\[enum\])"
)
_QUOTED_CHOICES: Final = re.compile(
    rf"(?<!\w){_CLOSING}\s*[:=]?\s*[\[(]?\s*{_QUOTED_LIST}", re.IGNORECASE
)
_BARE_CHOICES: Final = re.compile(
    r"(?:\bone of(?: the following)?(?: values)?(?: is allowed)?\s*:|\boptions(?: are)?\s*:|"
    r"\b(?:possible|allowed|valid|accepted) values(?: are)?\s*:?|\[enum\]\s*:)\s*[\[(]?\s*"
    + _BARE_LIST,
    re.IGNORECASE,
)
#: Names of parameters that are choices, so that even examples show what is left to choose.
_CHOOSERS: Final = frozenset(["format", "mode", "order", "sort_order", "status", "unit", "units"])
_LISTED: Final = re.compile(_QUOTED_LIST)
#: Words by which a list is called examples.
_SOME: Final = re.compile(r"\b(?:e\.?g|such as|for example|like)\b", re.IGNORECASE)
#: Words by which a description says that there are more, or several at once.
_OPEN: Final = re.compile(
    r"\b(?:etc|and so on|and more|among others|or any|or other|or custom|comma|separated|"
    r"delimited|multiple|combin\w+|examples?|or specific|or (?:a|an|the)\b)|\.\.\.|…",
    re.IGNORECASE,
)


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        if member.is_a("string") and not member.has(*_CLOSED) and _lists_choices(member):
            yield Flaw(
                place=member.place,
                problem="its choices are told in words, and any text fits",
                mend="list them as enum, so that a model cannot make up others",
            )


def _lists_choices(member: Member) -> bool:
    text = member.description
    if not text or _OPEN.search(text):
        return False
    chooser = member.name.lower() in _CHOOSERS and _listed(text)
    return bool(chooser or _QUOTED_CHOICES.search(text) or _BARE_CHOICES.search(text))


def _listed(text: str) -> bool:
    """Say whether a text lists values as all there are: joined by "or", or not called examples."""
    found = _LISTED.search(text)
    return bool(found and (re.search(r"\bor\b", found[0]) or not _SOME.search(text)))


RULE: Final = Rule(
    code="TF307",
    name="enum-in-words",
    severity=Severity.WARNING,
    doc="The choices stand in the description while any text fits, so a model makes up others.",
    bad=(taking(state={"type": "string", "description": "One of 'open', 'paid' or 'sent'."}),),
    good=(
        taking(
            state={
                "type": "string",
                "description": "Where the order stands.",
                "enum": ["open", "paid", "sent"],
            }
        ),
    ),
    check=_check,
)
