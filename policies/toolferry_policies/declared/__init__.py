"""What operators declare about tools, in a file: read, and applied to the tools. Pure."""

from __future__ import annotations

from toolferry_policies.declared.checking import check_policy
from toolferry_policies.declared.faults import PolicyFault, PolicyInvalid
from toolferry_policies.declared.outcome import Said, counted_outcome, outcome
from toolferry_policies.declared.policy import NO_POLICY, Policy
from toolferry_policies.declared.reading import read_policy

__all__ = [
    "NO_POLICY",
    "Policy",
    "PolicyFault",
    "PolicyInvalid",
    "Said",
    "check_policy",
    "counted_outcome",
    "outcome",
    "read_policy",
]
