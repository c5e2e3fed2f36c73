"""Where a dispatcher gets its policy from."""

from __future__ import annotations

from typing import Final

from toolferry_ledger import PolicySource, policy_file
from toolferry_policies import NO_POLICY, Policy


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
