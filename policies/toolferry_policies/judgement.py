"""The judgement: what all checks together say of a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from toolferry.record import record
from toolferry_policies.known import NOTHING_KNOWN, Known
from toolferry_policies.verdict import Deny, Permit, RequireApproval

#: What a call can come to; a change has been made and judged by then.
Ruling: TypeAlias = Permit | RequireApproval | Deny


@record(frozen=True, slots=True)
class Judgement:
    """What became of a call before anything of it ran, and why."""

    verdict: Ruling
    #: The name of the check that gave the verdict; empty when all permit.
    rule: str
    #: What the call is made with: the model's arguments, or what policies made of them.
    arguments: Mapping[str, Any]
    #: What policies changed, a sentence to the model each; empty when nothing.
    changes: tuple[str, ...] = ()
    #: What was looked up about the call with these arguments.
    known: Known = NOTHING_KNOWN
