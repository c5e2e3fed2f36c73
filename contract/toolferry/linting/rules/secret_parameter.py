"""A credential that a model is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

#: Names without separators.
_CREDENTIALS: Final = re.compile(
    r"(?:x|ws|app)?(?:api|access|auth)(?:key|token)|accesstoken|authtoken|authorizationtoken|"
    r"authenticationtoken|bearertoken|sessiontoken|usertoken|apptoken|jwt"
)
_PROVES: Final = re.compile(
    r"\b(?:auth\w*|access|api|session|credential|validate|verify|user'?s?)\b", re.IGNORECASE
)
_OTHER: Final = re.compile(
    r"\b(?:page|pagination|next|search|continuation|sync|coin|crypto)", re.IGNORECASE
)


def _check(subject: Subject) -> Iterator[Flaw]:
    for member in subject.members:
        if (member.is_a("string") or not member.kinds) and _is_credential(member):
            yield Flaw(
                place=member.place,
                problem="a model is asked for a credential, and can be talked into telling it",
                mend="take it out: the handler gets it from its settings, by the context (ctx)",
            )


def _is_credential(member: Member) -> bool:
    flat = "".join(member.words)
    if flat == "token":
        text = member.description
        return bool(_PROVES.search(text)) and not _OTHER.search(text)
    return bool(_CREDENTIALS.fullmatch(flat))


RULE: Final = Rule(
    code="TF309",
    name="secret-parameter",
    severity=Severity.ERROR,
    doc="A model is asked for a token or a key: it stands in the conversation, and may be told on.",
    bad=(taking(api_key={"type": "string", "description": "The key of the shop's API."}),),
    good=(taking(since={"type": "string", "description": "The first day.", "format": "date"}),),
    check=_check,
)
