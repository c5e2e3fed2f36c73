"""A declared rule, as the pipeline asks it."""

from __future__ import annotations

from dataclasses import dataclass

from toolferry import ErrorCode
from toolferry_policies.declared.conditions import Incomparable, holds
from toolferry_policies.declared.declaration import RuleEntry
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, RequireApproval, Verdict


@dataclass(frozen=True, slots=True)
class DeclaredRule:
    """A rule of a policy file; it only ever narrows what a tool may do."""

    entry: RuleEntry

    def __call__(self, facts: Facts) -> Verdict:
        """Deny, or ask a person, when the rule applies; deny what it cannot judge."""
        try:
            if not self._applies(facts):
                return Permit()
        except Incomparable as error:
            return Deny(ErrorCode.DENIED, f"The argument {error}.")
        if self.entry.deny is not None:
            return Deny(ErrorCode.DENIED, self.entry.deny)
        return RequireApproval(self.entry.ask or "")

    def _applies(self, facts: Facts) -> bool:
        when, unless = self.entry.when, self.entry.unless
        return (when is None or holds(when, facts)) and not (unless and holds(unless, facts))
