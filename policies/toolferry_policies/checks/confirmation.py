"""Before some calls a person decides."""

from __future__ import annotations

from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Permit, RequireApproval, Verdict


def confirmation_is_unneeded(facts: Facts) -> Verdict:
    """Require approval when the tool asks a person before each call, or before this one.

    A predicate that answers with anything but False has a person asked.
    """
    confirm = facts.tool.confirm if facts.tool else False
    if callable(confirm):
        asks, which = confirm(facts) is not False, "this call"
    else:
        asks, which = bool(confirm), "each call"
    if not asks:
        return Permit()
    return RequireApproval(f"The tool {facts.call.name} asks a person before {which}.")
