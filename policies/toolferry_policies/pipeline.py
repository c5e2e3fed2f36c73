"""The checks of a call, in the one order in which they are asked.

1. Each check answers by itself, from the facts alone.
2. The first that denies decides. Else the first that wants a person decides: nobody is asked about
   what may not run anyway.
3. A check that changes the arguments has them judged anew from the start, so that no change gets
   past a check that comes before it. A call that is changed again and again is denied.
4. It fails closed: a check that raises, or that answers with anything but a verdict, denies. Only
   Ctrl-C gets through: a program that is being stopped stops.
5. Budgets and the loop guard come behind all that deny here, and before a person is asked: the
   ledger counts a call when it writes it down (`budgets`, `loops`), and only one that may run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from toolferry import ConversionFailed, ErrorCode, ToolCall, to_json_data
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
from toolferry_policies.known import NOTHING_KNOWN
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
#: Characters of an error that the log is told.
MAX_TOLD: Final = 1000
_DECIDES: Final = (Deny, Modify)


def judge(facts: Facts, checks: tuple[Check, ...] = CHECKS) -> Judgement:
    """Ask every check in order; the story is at the top of this file."""
    verdict, rule = ask_all(facts, checks)
    changes: tuple[str, ...] = ()
    while isinstance(verdict, Modify):
        if len(changes) == MAX_CHANGES:
            return too_many_changes(facts, rule)
        changes += (verdict.reason,)
        facts = changed(facts, verdict)
        verdict, rule = ask_all(facts, checks)
    return Judgement(verdict, rule, facts.call.arguments, changes)


def ask_all(facts: Facts, checks: tuple[Check, ...] = CHECKS) -> tuple[Verdict, str]:
    """Give the first denial or change, else the first wish for a person, else permission.

    With it comes the name of the check that gave it.
    """
    verdict: Verdict = Permit()
    rule = ""
    for check in checks:
        answer = _ask(check, facts)
        if isinstance(answer, Permit):
            continue
        if isinstance(answer, _DECIDES):
            return answer, name_of(check)
        if isinstance(verdict, Permit):
            verdict, rule = answer, name_of(check)
    return verdict, rule


def _ask(check: Check, facts: Facts) -> Verdict:
    try:
        verdict: object = check(facts)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 -- a broken policy must deny, whatever broke it
        return broken(name_of(check), told_of(error))
    return verdict if type(verdict) is Permit else read_verdict(check, verdict)


def read_verdict(check: object, answer: object) -> Verdict:
    """Give what a check answered, if it is a verdict; anything else denies."""
    match answer:
        case Permit():
            return answer
        case Deny(code=ErrorCode(), message=str(words)) | RequireApproval(reason=str(words)):
            return answer if words.strip() else broken(name_of(check), "gives no reason")
        case Modify(reason=str()):
            return _read_change(check, answer)
    what = f"answered with {type(answer).__name__}, which is no verdict, or not a sound one"
    return broken(name_of(check), what)


def _read_change(check: object, change: Modify) -> Modify | Deny:
    try:
        arguments = to_json_data(name_of(check), change.arguments)
    except ConversionFailed as error:
        return broken(name_of(check), f"wants arguments that are no JSON: {error}")
    if not isinstance(arguments, dict):
        return broken(name_of(check), "wants arguments that are no object")
    return Modify(arguments, change.reason)


def changed(facts: Facts, change: Modify) -> Facts:
    """Give the facts of a call that was changed; what was looked up does not hold for it."""
    call = ToolCall(facts.call.call_id, facts.call.name, dict(change.arguments))
    return replace(facts, call=call, known=NOTHING_KNOWN)


def too_many_changes(facts: Facts, rule: str) -> Judgement:
    """Deny a call that is changed again and again.

    Args:
        facts: As it was changed last.
        rule: The name of the check that wants one change more.
    """
    denied = broken(rule, f"wants the {MAX_CHANGES + 1}th change of one call")
    return Judgement(denied, rule, facts.call.arguments)


def broken(name: str, what: str, kind: str = "check") -> Deny:
    """Deny a call that something could not judge; only the log learns what was wrong with it.

    Args:
        name: What could not.
        what: What it did instead, such as "raised KeyError".
        kind: What it is.
    """
    return Deny(
        ErrorCode.DENIED, "A policy could not judge this call.", detail=f"the {kind} {name} {what}"
    )


def told_of(error: BaseException) -> str:
    """Say what was raised, for the log; also of an error that cannot even be told.

    >>> told_of(KeyError("owner"))
    "raised KeyError: 'owner'"
    """
    kind = type(error).__name__
    try:
        return f"raised {kind}: {error}"[:MAX_TOLD]
    except BaseException:  # noqa: BLE001 -- its own words raise, too
        return f"raised {kind}"


def name_of(check: object) -> str:
    """Give the name by which a check is told in logs and explanations; a text is one already."""
    if isinstance(check, str):
        return check
    return str(getattr(check, "__name__", type(check).__name__))
