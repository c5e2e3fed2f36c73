"""Tools of workers whose calls somebody decides about whom this dispatcher does not have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from toolferry import ErrorCode, Tool
from toolferry_policies import Deny, Facts, Permit, Verdict


@dataclass(frozen=True, slots=True)
class Unasked:
    """The rule of such a tool: it denies as long as one of them is missing."""

    deciders: frozenset[str]
    #: Names what the dispatcher has, for a tool.
    known: Callable[[str], frozenset[str]]

    def __call__(self, facts: Facts) -> Verdict:
        """Deny when somebody cannot be asked; only the log and `explain` learn who."""
        name = facts.call.name
        missing = " and the ".join(sorted(self.deciders - self.known(name)))
        if not missing:
            return Permit()
        return Deny(
            ErrorCode.DENIED,
            "A policy could not judge this call.",
            detail=(
                f"calls of {name} are judged by the {missing}, which this dispatcher does not have:"
                " give it as extensions"
            ),
        )


def with_deciders(tool: Tool, known: Callable[[str], frozenset[str]]) -> Tool:
    """Give a tool whose calls are denied while one is missing who decides about them."""
    return replace(tool, rules=(Unasked(tool.deciders, known), *tool.rules))
