"""A tool's own rules over its arguments and the facts."""

from __future__ import annotations

from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Permit, Verdict


def rules_hold(facts: Facts) -> Verdict:
    """Give the first answer of a rule of the tool's own that does not permit.

    Raises:
        Exception: What a rule raises; the pipeline denies then.
    """
    for rule in facts.tool.rules if facts.tool else ():
        verdict = rule(facts)
        if not isinstance(verdict, Permit):
            return verdict  # type: ignore[no-any-return]  # the pipeline refuses what is no verdict
    return Permit()
