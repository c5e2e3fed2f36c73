"""Before some calls a person decides."""

from __future__ import annotations

from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Permit, RequireApproval, Verdict


def confirmation_is_unneeded(facts: Facts) -> Verdict:
    """Require approval when the tool asks a person before each call of it."""
    if facts.tool is None or not facts.tool.confirm:
        return Permit()
    return RequireApproval(f"The tool {facts.call.name} asks a person before each call.")
