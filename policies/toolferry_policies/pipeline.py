"""The checks of a call, in the one order in which they are asked.

1. Each check answers by itself, from the facts alone.
2. The first that denies decides. Else the first that wants a person decides: nobody is asked about
   what may not run anyway.
3. A check that changes the arguments has them judged anew from the start, so that no change gets
   past a check that comes before it. A call that is changed again and again is denied.
4. It fails closed: a check that raises, or that answers with anything but a verdict, denies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from toolferry import ErrorCode, ToolCall
from toolferry_policies.checks import (
    arguments_fit,
    confirmation_is_unneeded,
    environment_fits,
    permissions_suffice,
    role_is_allowed,
    rules_hold,
    tenant_is_allowed,
    tool_is_known,
    tool_is_visible,
)
from toolferry_policies.facts import Facts
from toolferry_policies.judgement import Judgement
from toolferry_policies.verdict import Deny, Modify, Permit, RequireApproval, Verdict

#: A rule: facts in, verdict out, nothing else touched.
Check: TypeAlias = Callable[[Facts], Verdict]

#: What the model can mend comes first (a name, an argument), what only people can mend after, and
#: last whether a person is asked.
CHECKS: Final[tuple[Check, ...]] = (
    tool_is_known,
    tool_is_visible,
    arguments_fit,
    rules_hold,
    tenant_is_allowed,
    role_is_allowed,
    permissions_suffice,
    environment_fits,
    confirmation_is_unneeded,
)
#: Changes of one call at the most; checks that undo each other's would go on for ever.
MAX_CHANGES: Final = 10


def judge(facts: Facts, checks: tuple[Check, ...] = CHECKS) -> Judgement:
    """Ask every check in order; the story is at the top of this file."""
    changes: list[str] = []
    verdict, rule = _ask_all(facts, checks)
    while isinstance(verdict, Modify):
        if len(changes) == MAX_CHANGES:
            denied = _broken(rule, f"wants the {MAX_CHANGES + 1}th change of one call")
            return Judgement(denied, rule, facts.call.arguments)
        changes.append(verdict.reason)
        facts = replace(facts, call=_changed(facts.call, verdict))
        verdict, rule = _ask_all(facts, checks)
    return Judgement(verdict, rule, facts.call.arguments, tuple(changes))


def _ask_all(facts: Facts, checks: tuple[Check, ...]) -> tuple[Verdict, str]:
    """Give the first denial or change, else the first wish for a person, else permission.

    With it comes the name of the check that gave it.
    """
    verdict: Verdict = Permit()
    rule = ""
    for check in checks:
        answer = _ask(check, facts)
        if isinstance(answer, Permit):
            continue
        if isinstance(answer, Deny | Modify):
            return answer, name_of(check)
        if isinstance(verdict, Permit):
            verdict, rule = answer, name_of(check)
    return verdict, rule


def _ask(check: Check, facts: Facts) -> Verdict:
    try:
        verdict: object = check(facts)
    except Exception as error:  # noqa: BLE001 -- a broken policy must deny, whatever broke it
        return _broken(name_of(check), f"raised {type(error).__name__}: {error}")
    if isinstance(verdict, Permit | RequireApproval | Deny | Modify):
        return verdict
    return _broken(name_of(check), f"answered with {type(verdict).__name__}, which is no verdict")


def _changed(call: ToolCall, change: Modify) -> ToolCall:
    return ToolCall(call.call_id, call.name, dict(change.arguments))


def _broken(name: str, what: str) -> Deny:
    return Deny(
        ErrorCode.DENIED, "A policy could not judge this call.", detail=f"the check {name} {what}"
    )


def name_of(check: object) -> str:
    """Give the name by which a check is told in logs and explanations."""
    return str(getattr(check, "__name__", type(check).__name__))
