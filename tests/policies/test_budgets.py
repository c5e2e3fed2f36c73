"""Budgets: what can be declared, and what is said when one is used up."""

from __future__ import annotations

import math
from typing import Any

import pytest

from toolferry_policies import Budget, BudgetScope, exhausted


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"scope": "week", "calls": 1}, "scope is 'week'"),
        ({"scope": "turn"}, "limits nothing"),
        ({"scope": "turn", "calls": -1}, "calls is -1"),
        ({"scope": "turn", "calls": 1.5}, "calls is 1.5"),
        ({"scope": "turn", "calls": True}, "calls is True"),
        ({"scope": "turn", "cost": math.nan}, "cost is nan"),
        ({"scope": "turn", "seconds": math.inf}, "seconds is inf"),
        ({"scope": "turn", "seconds": "ten"}, "seconds is 'ten'"),
        ({"scope": "turn", "calls": 1, "per": 60}, "a turn's budget has no period"),
        ({"scope": "principal", "calls": 1}, "needs a period"),
        ({"scope": "principal", "calls": 1, "per": 0.5}, "per is 0.5"),
    ],
)
def test_a_budget_that_cannot_be_kept_is_refused(fields: dict[str, Any], what: str) -> None:
    """The sentence names what is wrong."""
    with pytest.raises(ValueError, match=what):
        Budget(**fields)


def test_a_scope_may_be_given_as_plain_text() -> None:
    """As configuration files have it."""
    fields: dict[str, Any] = {"cost": 2.5, "per": 3600, "scope": "principal"}

    budget = Budget(**fields)

    assert budget.scope is BudgetScope.PRINCIPAL
    assert budget.limits == {"cost": 2.5}


def test_a_used_up_budget_says_whose_and_how_much() -> None:
    """In one sentence to the model, not to be tried again."""
    budget = Budget(scope=BudgetScope.PRINCIPAL, cost=2.5, per=3600)

    error = exhausted(budget, "cost").error()

    assert error.message == (
        "The budget of this caller, 2.5 units of cost per 3600 seconds, has not enough left for"
        " this call."
    )
    assert (error.code, error.retryable) == ("budget_exhausted", False)
