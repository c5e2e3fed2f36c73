"""Some tools are for certain tenants only."""

from __future__ import annotations

from toolferry import ErrorCode
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict


def tenant_is_allowed(facts: Facts) -> Verdict:
    """Deny a tenant that the tool does not list; none listed means any.

    Which tenants may is not told: it is nobody's business.
    """
    allowed = frozenset(facts.tool.tenants) if facts.tool else frozenset()
    if not allowed or facts.context.tenant in allowed:
        return Permit()
    return Deny(
        ErrorCode.DENIED, f"The tool {facts.call.name} is not for the tenant of this conversation."
    )
