"""A tool's own rules over its arguments and the facts."""

from __future__ import annotations

from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Permit, RequireApproval, Verdict


def rules_hold(facts: Facts) -> Verdict:
    """Give the first denial or change of a rule, else the first wish for a person.

    As the pipeline does with its checks: nobody is asked about what another rule denies.

    Raises:
        Exception: What a rule raises; the pipeline denies then.
    """
    wish: Verdict = Permit()
    for rule in facts.tool.rules if facts.tool else ():
        verdict = rule(facts)
        if not isinstance(verdict, Permit | RequireApproval):
            return verdict  # type: ignore[no-any-return]  # the pipeline refuses what is no verdict
        wish = verdict if isinstance(wish, Permit) else wish
    return wish
