"""A tool may need permissions, and it needs all of them."""

from __future__ import annotations

from toolferry import ErrorCode
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict


def permissions_suffice(facts: Facts) -> Verdict:
    """Deny a context that lacks a permission of the tool; name those that are missing."""
    needed = frozenset(facts.tool.permissions) if facts.tool else frozenset()
    missing = needed - facts.context.permissions
    if not missing:
        return Permit()
    names = ", ".join(sorted(missing))
    word = "permission" if len(missing) == 1 else "permissions"
    return Deny(ErrorCode.DENIED, f"The tool {facts.call.name} needs the {word} {names}.")
