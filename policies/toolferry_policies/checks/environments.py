"""Some tools may act in certain environments only."""

from __future__ import annotations

from toolferry import ErrorCode
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict


def environment_fits(facts: Facts) -> Verdict:
    """Deny an environment that the tool does not list; none listed means any."""
    allowed = frozenset(facts.tool.environments) if facts.tool else frozenset()
    if not allowed or facts.context.environment in allowed:
        return Permit()
    names = " or ".join(sorted(allowed))
    return Deny(
        ErrorCode.DENIED,
        f"The tool {facts.call.name} may run in {names} only,"
        f" and this is {facts.context.environment}.",
    )
