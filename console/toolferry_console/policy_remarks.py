"""What `toolferry doctor` says of the policy file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolferry_ledger import policy_file
from toolferry_ledger.server import Grade, Remark
from toolferry_policies import PolicyFault, PolicyInvalid


def policy_remarks(environ: Mapping[str, str]) -> Iterator[Remark]:
    """Say which policy file holds, or everything that is wrong with it; nothing without one."""
    try:
        policy = policy_file(environ).current()
    except PolicyInvalid as error:
        yield from map(_faulty, error.faults or (error,))
        return
    if policy.hash:
        yield Remark("policy", Grade.OK, f"{policy.source} holds; its hash is {policy.hash}")


def _faulty(fault: PolicyFault | PolicyInvalid) -> Remark:
    advice = "mend it: no dispatcher starts with it, and those that run keep the policy they had"
    return Remark("policy", Grade.FAIL, str(fault), advice)
