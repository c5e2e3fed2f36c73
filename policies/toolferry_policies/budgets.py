"""Budgets: how much the calls of a turn, a conversation or a principal may come to. Pure.

1. A call is charged once, when it is written down, whatever becomes of it: 1 call, the `cost` of
   its tool, and as many seconds as one attempt of it may take at the most (its `timeout`). What it
   will really take is not known before it has run, and then it is too late to say no.
2. A call that no longer fits in is denied, and charges nothing; a smaller one after it may still
   fit. A call that another check denies charges nothing either.
3. One about which a person has to decide is charged when it is asked for, not when it is approved.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from toolferry import ErrorCode
from toolferry_policies.verdict import Deny

#: Seconds that a budget may be counted for: a second to a year.
SHORTEST: Final = 1.0
LONGEST: Final = 366 * 86_400.0
#: The most that a limit may allow: numbers up to here are counted exactly.
MOST: Final = 1e12
_UNITS: Final = {"calls": "calls", "cost": "units of cost", "seconds": "seconds of running"}


class BudgetScope(StrEnum):
    """Whose calls share a budget."""

    TURN = "turn"
    #: Of one tenant; a turn that names no conversation is one by itself.
    CONVERSATION = "conversation"
    #: Of one tenant; those who are not told apart, `anonymous`, share one.
    PRINCIPAL = "principal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What the calls of one turn, conversation or principal may come to, all together.

    Raises:
        ValueError: Nothing is limited, a limit is out of its range, or a principal's budget is for
            ever; the sentence says what to do.
    """

    scope: BudgetScope
    #: Calls, 0 or more; None for any number.
    calls: int | None = None
    #: The sum of `Tool.cost`, 0 or more.
    cost: float | None = None
    #: The sum of `Tool.timeout`, in seconds, 0 or more.
    seconds: float | None = None
    #: Seconds after its first call when a budget begins anew, 1 to a year. None: a conversation's
    #: is for good, and forgotten 30 days after its last call; a principal's needs a number.
    per: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "scope", _scope(self.scope))
        if not self.limits:
            raise ValueError("a budget limits nothing: give calls, cost or seconds")
        for unit, limit in self.limits.items():
            _require(unit, limit, 0, MOST)
        if self.calls is not None and int(self.calls) != self.calls:
            raise ValueError(f"calls is {self.calls!r}: it must be a whole number")
        if self.per is not None:
            _require("per", self.per, SHORTEST, LONGEST)
        self._check_period()

    def _check_period(self) -> None:
        if self.scope is BudgetScope.PRINCIPAL and self.per is None:
            raise ValueError("a principal's budget needs a period: give per, in seconds")
        if self.scope is BudgetScope.TURN and self.per is not None:
            raise ValueError("a turn's budget has no period: leave per out")

    @property
    def limits(self) -> dict[str, float]:
        """The limits that there are, by unit.

        >>> Budget(scope=BudgetScope.TURN, calls=10).limits
        {'calls': 10}
        """
        named = {"calls": self.calls, "cost": self.cost, "seconds": self.seconds}
        return {unit: limit for unit, limit in named.items() if limit is not None}


def exhausted(budget: Budget, unit: str) -> Deny:
    """Deny a call that does not fit into a budget any more.

    Args:
        budget: The budget.
        unit: "calls", "cost" or "seconds": what it has too little left of.

    >>> exhausted(Budget(scope=BudgetScope.TURN, calls=10), "calls").message
    'The budget of this turn, 10 calls, has not enough left for this call.'
    """
    limit = f"{budget.limits[unit]:.12g} {_UNITS[unit]}"
    again = "" if budget.per is None else f" per {budget.per:.12g} seconds"
    whose = "caller" if budget.scope is BudgetScope.PRINCIPAL else budget.scope.value
    message = f"The budget of this {whose}, {limit}{again}, has not enough left for this call."
    return Deny(ErrorCode.BUDGET_EXHAUSTED, message)


def _scope(scope: str) -> BudgetScope:
    try:
        return BudgetScope(scope)
    except ValueError as error:
        known = ", ".join(BudgetScope)
        raise ValueError(f"scope is {scope!r}: it must be one of {known}") from error


def _require(name: str, value: object, least: float, most: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    # What is no number compares with nothing, infinity is above the most.
    if not number or not least <= float(str(value)) <= most:
        raise ValueError(f"{name} is {value!r}: it must be a number, {least:g} to {most:g}")
