"""The arguments have to fit the tool's schema."""

from __future__ import annotations

from toolferry import ErrorCode, schema_error
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Deny, Permit, Verdict


def arguments_fit(facts: Facts) -> Verdict:
    """Deny arguments that do not fit the schema; tell every fault at once.

    All faults together spare the model a turn for each.
    """
    if facts.tool is None:
        return Deny(ErrorCode.UNKNOWN_TOOL, "There is no such tool.")
    validator, arguments, found = facts.tool.validator, facts.call.arguments, facts.findings
    if found is None or not found.are_of(validator, arguments):  # a check may have changed them
        found = validator.findings(arguments)
    faults = found.faults
    if not faults:
        return Permit()
    error = schema_error(facts.call.name, faults)
    return Deny(ErrorCode.SCHEMA, error.message, faults=faults)
