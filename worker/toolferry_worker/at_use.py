"""A tool's rules, asked again where the tool is used.

1. A dispatcher that knows a tool by its definition only has none of its rules.
2. What a rule looks at may have changed since: a link in a path, the address of a host, the call
   that a person has edited.
"""

from __future__ import annotations

from toolferry import CallError, ErrorCode, Tool, ToolCall
from toolferry_ledger import Spec, get_log
from toolferry_policies import Deny, Facts, Permit, judge, without_secrets
from toolferry_policies.checks import rules_hold

log = get_log(__name__)


def fault_at_use(tool: Tool, spec: Spec) -> CallError | None:
    """Say why a call must not run although it was admitted; None when it may.

    What was looked up before the call was admitted was signed with it, and is not looked up again.
    A rule that wants a person is content when one was asked. The arguments are what was signed: a
    rule that wants others refuses.
    """
    if not tool.rules:
        return None
    facts = Facts(
        call=ToolCall(spec.call_id, spec.name, spec.arguments),
        tool=tool,
        registered=frozenset({tool.name}),
        context=spec.context,
        known=spec.known,
    )
    judgement = without_secrets(judge(facts, (rules_hold,)), tool, facts.call, spec.context)
    match judgement.verdict:
        case Deny() as denied:
            _tell(spec, denied.detail)
            return denied.error()
        case Permit() if not judgement.changes:
            return None
        case _ if spec.approval and not judgement.changes:
            return None
        case _:
            message = f"A rule of {spec.name} does not let this call run as it was admitted."
            return CallError.of(ErrorCode.DENIED, message)


def _tell(spec: Spec, detail: str) -> None:
    if detail:
        keys = {"turn_id": spec.turn_id, "call_id": spec.call_id, "tool": spec.name}
        log.error("policy.failed", **keys, detail=detail)
