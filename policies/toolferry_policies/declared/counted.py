"""What a policy file says of budgets and the loop guard, and what that comes to. Pure.

Operators have the last word, on each thing that they name: the budgets of a scope take the place of
those that the code has for it, each key of `loop_guard` that of the code's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from toolferry_policies import budgets, loops
from toolferry_policies.budgets import Budget, BudgetScope
from toolferry_policies.counting import Limits
from toolferry_policies.declared.form import Form, Some
from toolferry_policies.loops import DEFAULT_GUARD, NO_GUARD, LoopGuard

_Amount: TypeAlias = Annotated[float, Field(ge=0, le=budgets.MOST, allow_inf_nan=False)]
_Period: TypeAlias = Annotated[
    float, Field(ge=budgets.SHORTEST, le=budgets.LONGEST, allow_inf_nan=False)
]
_Silence: TypeAlias = Annotated[
    float, Field(ge=loops.SHORTEST, le=loops.LONGEST, allow_inf_nan=False)
]
_Times: TypeAlias = Annotated[int, Field(ge=loops.FEWEST, le=loops.MOST)]


class BudgetEntry(Form):
    """What the calls of one turn, conversation or principal may come to; see `Budget`."""

    scope: ClassVar[BudgetScope]

    calls: Annotated[int, Field(ge=0, le=budgets.MOST)] | None = None
    cost: _Amount | None = None
    seconds: _Amount | None = None
    #: Seconds.
    per: _Period | None = None

    @property
    def budget(self) -> Budget:
        """The budget that is meant."""
        return Budget(scope=self.scope, **self.model_dump())

    @model_validator(mode="after")
    def _is_a_budget(self) -> Self:
        _ = self.budget  # raises for what no budget can be
        return self


class _TurnEntry(BudgetEntry):
    scope = BudgetScope.TURN


class _ConversationEntry(BudgetEntry):
    scope = BudgetScope.CONVERSATION


class _PrincipalEntry(BudgetEntry):
    scope = BudgetScope.PRINCIPAL


def _listed(value: Any) -> Any:
    """Take one table for a list of one."""
    return [value] if isinstance(value, dict) else value


_OneOrMore = BeforeValidator(_listed)


class Budgets(Some):
    """What calls may come to, all together: for each scope one budget, or a list of them."""

    turn: Annotated[tuple[_TurnEntry, ...], Field(strict=False), _OneOrMore] = ()
    conversation: Annotated[tuple[_ConversationEntry, ...], Field(strict=False), _OneOrMore] = ()
    principal: Annotated[tuple[_PrincipalEntry, ...], Field(strict=False), _OneOrMore] = ()

    def entries(self) -> Iterator[tuple[str, int, BudgetEntry]]:
        """Give each budget with its scope and its place there, from 0."""
        for scope in type(self).model_fields:
            for at, entry in enumerate(getattr(self, scope)):
                yield scope, at, entry


class GuardEntry(Some):
    """When a call that was made before is told to the model, and denied; see `LoopGuard`."""

    enabled: bool | None = None
    tell_at: _Times | None = None
    deny_at: _Times | None = None
    #: Seconds.
    forget_after: _Silence | None = None


def limits_with(said: Budgets | None, guard: GuardEntry | None, own: Limits) -> Limits:
    """Give what calls are counted against: what the file says, and else what the code does.

    Args:
        said: The budgets of the file.
        guard: What it says of the loop guard.
        own: What the dispatcher was given in code.
    """
    if said is None and guard is None:
        return own
    return Limits(_budgets(said, own), own.guard if guard is None else _guard(guard, own.guard))


def _budgets(said: Budgets | None, own: Limits) -> tuple[Budget, ...]:
    if said is None:
        return tuple(own.budgets)
    kept = (one for one in own.budgets if one.scope.value not in said.model_fields_set)
    return (*kept, *(entry.budget for _, _, entry in said.entries()))


def _guard(said: GuardEntry, own: LoopGuard | None) -> LoopGuard | None:
    if said.enabled is False:
        return NO_GUARD
    numbers = said.model_dump(exclude_none=True, exclude={"enabled"})
    base = DEFAULT_GUARD if said.enabled and own is NO_GUARD else own
    return replace(base or DEFAULT_GUARD, **numbers) if numbers else base
