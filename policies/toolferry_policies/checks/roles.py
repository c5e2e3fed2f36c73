"""Some tools are for certain roles only."""

from __future__ import annotations

from toolferry import ErrorCode
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict


def role_is_allowed(facts: Facts) -> Verdict:
    """Deny a context that has none of the tool's allowed roles; none listed means anyone."""
    allowed = frozenset(facts.tool.allowed_roles) if facts.tool else frozenset()
    if not allowed or allowed & facts.context.roles:
        return Permit()
    names = " or ".join(sorted(allowed))
    return Deny(ErrorCode.DENIED, f"The tool {facts.call.name} needs the role {names}.")
