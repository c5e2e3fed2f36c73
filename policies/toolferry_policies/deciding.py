"""Who may decide about a call that waits for a person. Pure.

1. A name that nobody vouches for is enough where anybody may decide, and nowhere else.
2. Where roles are named, a person needs one of them, to approve and to deny.
3. Nobody approves a call that was made on their own behalf, unless its tool lets them. Everybody
   may deny theirs.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolferry import Approval


@dataclass(frozen=True, slots=True)
class Approver:
    """A person who decides."""

    name: str
    roles: frozenset[str] = frozenset()
    #: Whether a token or the application vouches for name and roles.
    verified: bool = False


def refuse_to_approve(person: Approver, terms: Approval, principal: str) -> str:
    """Say why a person may not approve a call; empty when they may.

    Args:
        person: Who would.
        terms: On which the call waits.
        principal: On whose behalf it was made.

    >>> refuse_to_approve(Approver("ann"), Approval(), "ann")
    'it was made on behalf of ann, and nobody approves a call of their own'
    """
    if not terms.own and person.name == principal:
        return f"it was made on behalf of {person.name}, and nobody approves a call of their own"
    return refuse_to_decide(person, terms)


def refuse_to_decide(person: Approver, terms: Approval) -> str:
    """Say why a person may neither approve nor deny a call; empty when they may."""
    if not person.verified and (terms.roles or terms.needed > 1):
        return "it takes a person's token to decide about it: set TOOLFERRY_TOKEN"
    if terms.roles and not terms.roles & person.roles:
        return f"only people with the role {' or '.join(sorted(terms.roles))} decide about it"
    return ""
