"""Standing approvals: what a person has approved before anybody asked. Pure.

1. An allowance is one person's word for some calls to come: of one tool in one version, on behalf
   of one principal of one tenant. Each of their arguments is pinned to a value, free, or at its
   default: what nobody spoke about is not allowed.
2. It answers a person's part and nothing else: every check judges the call before, as always.
3. Its person has to be one who may approve the call, on the terms of the call, each time anew. A
   call that takes several people is none of its calls.
4. How often, and until when, the server counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import Approval, Context, Tool
from toolferry.defaults import fill_defaults
from toolferry.masking import mask_arguments
from toolferry_policies.deciding import Approver, refuse_to_approve
from toolferry_policies.loops import fingerprint

#: Calls that an allowance answers at the most, and seconds for which it does: 30 days.
MAX_USES: Final = 10_000
MAX_LASTING: Final = 30 * 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """A person's yes to calls that are still to come."""

    id: str
    tool: str
    #: Of the tool as that person knew it: another version is asked about anew.
    tool_version: str
    #: On whose behalf the calls are made.
    principal: str
    tenant: str
    #: What arguments have to be, by their names.
    pinned: Mapping[str, Any]
    #: The names of those that may be anything that the checks permit.
    free: frozenset[str]
    who: Approver
    #: Server times, seconds since the epoch: when it was given, and when it ends.
    at: float
    until: float
    #: How many calls it answers in all.
    uses: int
    #: Why; may be empty.
    note: str = ""


def covers(one: Allowance, tool: Tool, context: Context, arguments: Mapping[str, Any]) -> bool:
    """Tell whether a call is one of those that an allowance is for.

    Args:
        one: The allowance.
        tool: The call's.
        context: The call's.
        arguments: The call's own, with what is secret of them.
    """
    whose = (one.tool, one.tool_version, one.principal, one.tenant)
    if whose != (tool.name, tool.version, context.principal, context.tenant):
        return False
    wanted, given = (_bound(one, tool, of) for of in (one.pinned, arguments))
    return fingerprint(tool.name, wanted) == fingerprint(tool.name, given)


def refuse_to_answer(one: Allowance, terms: Approval) -> str:
    """Say why an allowance may not answer a call that waits on some terms; empty when it may.

    >>> ann = Approver("ann", verified=True)
    >>> one = Allowance(id="a", tool="pay", tool_version="1", principal="bob", tenant="default",
    ...     pinned={}, free=frozenset(), who=ann, at=0.0, until=60.0, uses=1)
    >>> refuse_to_answer(one, Approval(needed=2))
    'it takes 2 people to approve such a call, and a standing approval is the word of one'
    >>> refuse_to_answer(one, Approval())
    ''
    """
    if terms.needed > 1:
        return (
            f"it takes {terms.needed} people to approve such a call, and a standing approval is the"
            " word of one"
        )
    return refuse_to_approve(one.who, terms, one.principal).replace(
        "it was made", "such calls are made"
    )


def refuse_to_allow(one: Allowance, tool: Tool) -> str:
    """Say why a person may not allow something; empty when they may.

    Args:
        one: What they want to allow.
        tool: Its tool, with what operators declare about it.
    """
    if not (type(one.uses) is int and 1 <= one.uses <= MAX_USES):
        return f"uses is {one.uses!r}: it must be a whole number, 1 to {MAX_USES:,}"
    if not 0 < one.until - one.at <= MAX_LASTING:
        return f"it must end within {MAX_LASTING / 86_400:g} days, and not before it begins"
    return refuse_to_answer(one, tool.approval) or _refuse_arguments(one, tool)


def _refuse_arguments(one: Allowance, tool: Tool) -> str:
    known = tool.parameters.get("properties", {})
    named = one.pinned.keys() | one.free
    shown = mask_arguments(tool.parameters, one.pinned)
    faults = {
        "no argument of it": named - known.keys(),
        "pinned and free at once": one.pinned.keys() & one.free,
        "neither pinned nor free": set(tool.parameters.get("required", ())) - named,
        "secret, or may hold a secret, so it can be left free but not pinned": {
            name for name, value in one.pinned.items() if shown[name] != value
        },
    }
    found = (
        f"{' and '.join(sorted(names))} {'is' if len(names) == 1 else 'are'} {what}"
        for what, names in faults.items()
        if names
    )
    return next(found, "")


def _bound(one: Allowance, tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give the arguments that are not free."""
    filled = fill_defaults(tool.parameters, arguments)
    return {name: value for name, value in filled.items() if name not in one.free}
