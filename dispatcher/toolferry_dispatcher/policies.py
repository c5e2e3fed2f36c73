"""Where a dispatcher gets its policy from."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from toolferry import Registry
from toolferry_ledger import PolicySource, get_log, policy_file
from toolferry_policies import NO_POLICY, Policy

log = get_log(__name__)

#: How much two names have in common of which one is taken for a slip of the other, 0 to 1.
ALIKE: Final = 0.8


class _FromEnvironment:
    """Stands for the file that the environment names, or the one in the working directory."""

    def current(self) -> Policy:
        return policy_file().current()


#: What a dispatcher is made with that nothing is said about policies to.
FROM_ENVIRONMENT: Final[PolicySource] = _FromEnvironment()


def policy_source(given: PolicySource | None) -> PolicySource:
    """Give what to ask for the policy; None stands for no policy file at all.

    Raises:
        PolicyInvalid: The file cannot be used.
    """
    if given is None:
        return NO_POLICY
    return policy_file() if given is FROM_ENVIRONMENT else given


def warn_of_slips(registry: Registry, policy: Policy) -> None:
    """Tell of names in a policy file that no tool has and that look like a tool's.

    A restriction under a mistyped name restricts nothing. Other names may be tools of other agents.
    """
    names = registry.names()
    for name in policy.declaration.tools:
        close = [] if name in registry else get_close_matches(name, names, n=1, cutoff=ALIKE)
        if close:
            log.warning("policy.name_unknown", file=policy.source, name=name, meant=close[0])
