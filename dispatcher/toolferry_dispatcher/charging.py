"""Charging: what the calls of a turn are counted against, and what those are told that do not fit.

Budgets and repeats are asked of a call last of all that may deny it: only once every other check
permits it, and in the step that writes its turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from toolferry import ToolCall, ToolResult
from toolferry_dispatcher.admission import Admitted, Origin
from toolferry_ledger import Account, Charge, Charges, Repeats, Signer
from toolferry_policies import (
    Budget,
    BudgetScope,
    Deny,
    Limits,
    LoopGuard,
    exhausted,
    fingerprint,
    refusal,
    repeated,
    told,
)

#: Seconds for which a conversation's budget without a period is kept after its last call.
KEPT: Final = 30 * 86_400.0
#: Of a text that the ledger adds call id and name to.
_NOBODYS: Final = ToolCall("", "", {})


def charges_of(
    limits: Limits, admitted: Sequence[Admitted], origin: Origin, signer: Signer
) -> Charges | None:
    """Give what the calls of a turn are counted against; None when nothing of it is counted."""
    guard = limits.guard_of(origin.conversation_id, len(admitted))
    if guard is None and not limits.budgets:
        return None
    calls = {
        at: _charge(one, guard, signer) for at, one in enumerate(admitted) if one.refused is None
    }
    if not limits.budgets and not any(charge.fingerprint for charge in calls.values()):
        return None
    return Charges(
        accounts=tuple(_account(budget, origin) for budget in limits.budgets),
        repeats=None if guard is None else _repeats(guard, origin),
        calls=calls,
    )


def _charge(one: Admitted, guard: LoopGuard | None, signer: Signer) -> Charge:
    tool, call = one.tool, one.effective
    is_counted = guard is not None and tool is not None and not tool.polling
    return Charge(
        call_id=one.call.call_id,
        name=one.call.name,
        cost=tool.cost if tool else 0.0,
        seconds=tool.timeout if tool else 0.0,
        fingerprint=_keyed(fingerprint(call.name, call.arguments), signer) if is_counted else "",
    )


def _keyed(text: str, signer: Signer) -> str:
    """Give what stands for a fingerprint: of a plain one, short arguments could be guessed."""
    return signer.sign(b"call\0" + text.encode())[:32]


def _account(budget: Budget, origin: Origin) -> Account:
    return Account(
        name=_name(budget, origin),
        kept=KEPT if budget.per is None else budget.per,
        lasting=budget.per is None,
        limits=budget.limits,
        refusals={unit: _refused(exhausted(budget, unit), origin) for unit in budget.limits},
    )


def _name(budget: Budget, origin: Origin) -> str:
    """Name what a budget is kept for; empty for what ends with the turn."""
    who = {
        BudgetScope.TURN: "",
        BudgetScope.CONVERSATION: origin.conversation_id,
        BudgetScope.PRINCIPAL: origin.context.principal,
    }[budget.scope]
    if not who and budget.scope is not BudgetScope.PRINCIPAL:
        return ""
    period = 0 if budget.per is None else round(budget.per * 1000)
    return f"{budget.scope.value}:{period}:{_whose(origin, who)}"


def _repeats(guard: LoopGuard, origin: Origin) -> Repeats:
    return Repeats(
        name=_whose(origin, origin.conversation_id) if origin.conversation_id else "",
        kept=guard.forget_after,
        tell_at=guard.tell_at,
        deny_at=guard.deny_at,
        told=told(guard),
        refusal=_refused(repeated(guard), origin),
    )


def _whose(origin: Origin, name: str) -> str:
    """Name somebody of a tenant so that no two have the same name, whatever colons they use."""
    tenant = origin.context.tenant
    # A principal may be any text; a key is UTF-8, which has no half characters.
    return f"{len(tenant.encode())}:{tenant}:{name}".encode(errors="replace").decode()


def _refused(verdict: Deny, origin: Origin) -> ToolResult:
    return refusal(_NOBODYS, verdict, origin.now)
