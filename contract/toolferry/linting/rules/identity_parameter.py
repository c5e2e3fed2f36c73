"""An identity that a model is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from toolferry.linting.finding import Flaw, Severity
from toolferry.linting.members import Member
from toolferry.linting.rule import Rule
from toolferry.linting.samples import taking
from toolferry.linting.subject import Subject

#: Names without separators: of the one for whom the call is made, or else told in the description.
_OWN: Final = frozenset(
    """
    actinguser actinguserid callerid currentuser currentuserid sessionid tenant
    tenantid userid useridentifier
    """.split()  # noqa: SIM905 -- a text is easier to read
)
#: The keys that lead to a parameter: `properties` and its name.
_TOP: Final = 2
#: Words of names of tools that work on users: there a user is the object.
_ABOUT_USERS: Final = frozenset(
    """
    account accounts admin customer customers member members profile user users tenant tenants
    session sessions follow unfollow block invite contact friend message dm
    """.split()  # noqa: SIM905 -- a text is easier to read
)
#: Words by which a description says that the model chooses the user.
_CHOSEN: Final = re.compile(
    r"\b(?:whose|whom|target\w*|another|other|recipient|receiv\w+|assign\w*|being|which|"
    r"username|group|to (?!authenticate|identify|maintain)[a-z]+)\b|\bare (?:\w+ )?to be\b",
    re.IGNORECASE,
)


def _check(subject: Subject) -> Iterator[Flaw]:
    about_users = not _ABOUT_USERS.isdisjoint(subject.words)
    for member in subject.members:
        if not about_users and len(member.at) == _TOP and _is_own(member):
            yield Flaw(
                place=member.place,
                problem="a model says for whom it acts, and can be talked into somebody else",
                mend="take it out: the handler knows it from the context (ctx.identity)",
            )


def _is_own(member: Member) -> bool:
    flat = "".join(member.words)
    return flat in _OWN and not _CHOSEN.search(member.description)


RULE: Final = Rule(
    code="TF310",
    name="identity-parameter",
    severity=Severity.WARNING,
    doc="A model says for whom it acts. That is the application's to say, in the context.",
    bad=(taking(user_id={"type": "string", "description": "The user's id."}),),
    good=(taking(since={"type": "string", "description": "The first day.", "format": "date"}),),
    check=_check,
)
