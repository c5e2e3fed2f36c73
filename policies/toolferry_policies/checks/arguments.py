"""The arguments have to fit the tool's schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from toolferry import ErrorCode, Fault
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict

#: Faults told in the sentence to the model; `Deny.faults` holds every one.
MAX_TOLD: Final = 20


def arguments_fit(facts: Facts) -> Verdict:
    """Deny arguments that do not fit the schema; tell every fault at once.

    All faults together spare the model a turn for each.
    """
    if facts.tool is None:
        return Deny(ErrorCode.UNKNOWN_TOOL, "There is no such tool.")
    faults = tuple(facts.tool.validator.faults(facts.call.arguments))
    if not faults:
        return Permit()
    return Deny(ErrorCode.SCHEMA, _sentence(facts.call.name, faults), faults=faults)


def _sentence(name: str, faults: Sequence[Fault]) -> str:
    told = "; ".join(map(_told, faults[:MAX_TOLD]))
    more = f"; and {len(faults) - MAX_TOLD} more" if len(faults) > MAX_TOLD else ""
    return f"The arguments of {name} do not fit its schema: {told}{more}."


def _told(fault: Fault) -> str:
    where = fault.path or "the arguments"
    return f"{where}: expected {fault.expected}, got {fault.got}"
