"""A model may only call tools that it was shown in this turn."""

from __future__ import annotations

from toolferry import ErrorCode
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict


def tool_is_visible(facts: Facts) -> Verdict:
    """Deny a tool that exists but was not on offer in this turn."""
    if facts.visible is None or facts.call.name in facts.visible:
        return Permit()
    return Deny(
        ErrorCode.TOOL_NOT_ALLOWED, f"The tool {facts.call.name} is not on offer in this turn."
    )
