"""Repairs between reading and judging: a call that was not written as it should be, put right.

What was put right of its text, the provider has done already, and says so; here it counts only
where that repair is switched on. What can be put right of its fields needs the tool's schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry import SchemaInvalid, Tool, ToolCall
from toolferry.findings import Findings
from toolferry.record import record
from toolferry.repairing import Repair, Repairs, fit_found
from toolferry.restoring import restore_members
from toolferry_dispatcher.providers.protocol import Provider
from toolferry_dispatcher.reply import ReadCall


@record(frozen=True, slots=True)
class Repaired:
    """A call as it goes into judgement."""

    call: ToolCall
    #: What was put right, in order.
    repairs: tuple[str, ...] = ()
    #: The arguments as they were read, where fields were put right; else None.
    original: Mapping[str, Any] | None = None
    #: What is wrong with the arguments that it goes with; None of a call that cannot be judged.
    findings: Findings | None = None


def held_to(read: ReadCall, repairs: Repairs) -> ReadCall:
    """Give a call as it is read with these repairs: one that took others has a fault."""
    if not read.repairs or repairs.allow(read.repairs):
        return read
    call = ToolCall(read.call.call_id, read.call.name, {})
    return ReadCall(call, read.strictly or read.fault, chain=read.chain)


def repairs_for(provider: Provider, repairs: Repairs) -> Repairs:
    """Give the repairs of fields that are made of a provider's calls.

    Null is dropped only where a strict mode can have forced it: some make every field required,
    and those that may be left out nullable. A provider with such a mode says so by
    `forces_nulls`; anywhere else a null is the model's own.
    """
    if getattr(provider, "forces_nulls", False):
        return repairs
    return repairs.without(Repair.NULL_DROPPED)


def repaired(read: ReadCall, name: str, tool: Tool | None, repairs: Repairs) -> Repaired:
    """Put right the fields of a call that do not fit its tool.

    Args:
        read: The call.
        name: The tool's own name, or what the model wrote when there is none.
        tool: None when it is unknown.
        repairs: Those of fields that are made.
    """
    call = read.call
    if call.name != name:
        call = ToolCall(call.call_id, name, call.arguments)
    if tool is None or read.fault is not None:
        return Repaired(call, read.repairs)
    try:
        return _fitted(read, call, tool, repairs)
    except SchemaInvalid:  # every call of it is refused, and says why
        return Repaired(call, read.repairs)


def _fitted(read: ReadCall, call: ToolCall, tool: Tool, repairs: Repairs) -> Repaired:
    if tool.validator.renames:
        call = _with_own_names(call, tool)
    found = tool.validator.findings(call.arguments)
    if not found.misfits:
        return Repaired(call, read.repairs, None, found)
    fitted = fit_found(tool, found, repairs)
    if not fitted.repairs:
        return Repaired(call, read.repairs, None, found)
    mended = ToolCall(call.call_id, call.name, fitted.arguments)
    made = (*read.repairs, *fitted.repairs)
    return Repaired(mended, made, call.arguments, fitted.findings)


def _with_own_names(call: ToolCall, tool: Tool) -> ToolCall:
    """Give members back the names that their tool knows them by; nothing is guessed in that."""
    arguments, _ = restore_members(tool, call.arguments)
    return ToolCall(call.call_id, call.name, arguments)
