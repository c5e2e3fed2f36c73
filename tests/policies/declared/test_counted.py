"""What a policy file says of budgets and the loop guard takes the place of what code says."""

from __future__ import annotations

import pytest

from toolferry import Rate, Tool
from toolferry_policies import (
    DEFAULT_GUARD,
    NO_GUARD,
    NO_LIMITS,
    NO_POLICY,
    Budget,
    BudgetScope,
    Limits,
    LoopGuard,
    Policy,
    PolicyInvalid,
    read_policy,
)
from toolferry_policies.declared import Said, counted_outcome, outcome

OF_TURN = Budget(scope=BudgetScope.TURN, calls=3)
OF_TALK = Budget(scope=BudgetScope.CONVERSATION, cost=5)


def policy_of(text: str) -> Policy:
    """Read a policy."""
    return read_policy(text.encode(), "p.toml")


def faults_of(text: str) -> list[str]:
    """Give what is said of a text that cannot be used, sorted."""
    with pytest.raises(PolicyInvalid) as caught:
        read_policy(text.encode(), "p.toml")
    return sorted(str(fault) for fault in caught.value.faults)


def test_a_file_that_says_nothing_of_them_leaves_the_limits_of_the_code() -> None:
    """They are the same object: a turn pays nothing."""
    own = Limits([OF_TURN])

    assert policy_of("[tools.a]\ntimeout = 3").limits(own) is own
    assert NO_POLICY.limits(own) is own


def test_the_budgets_of_a_scope_take_the_place_of_those_of_the_code() -> None:
    """The code's budgets of other scopes hold on; a scope may have several, or none."""
    own = Limits([OF_TURN, OF_TALK])
    several = """[[budgets.principal]]
calls = 5
per = 60
[[budgets.principal]]
seconds = 7.5
per = 86400
"""

    assert policy_of("[budgets.turn]\ncalls = 9").limits(own).budgets == (
        OF_TALK,
        Budget(scope=BudgetScope.TURN, calls=9),
    )
    assert policy_of("[budgets]\nturn = []").limits(own).budgets == (OF_TALK,)
    assert policy_of(several).limits(NO_LIMITS).budgets == (
        Budget(scope=BudgetScope.PRINCIPAL, calls=5, per=60),
        Budget(scope=BudgetScope.PRINCIPAL, seconds=7.5, per=86_400),
    )


@pytest.mark.parametrize(
    ("said", "own", "guard"),
    [
        ("deny_at = 4", None, LoopGuard(deny_at=4)),
        ("deny_at = 4", LoopGuard(tell_at=2, deny_at=9), LoopGuard(tell_at=2, deny_at=4)),
        ("forget_after = 60", None, LoopGuard(forget_after=60)),
        ("enabled = false", LoopGuard(tell_at=2), NO_GUARD),
        ("enabled = true", NO_GUARD, DEFAULT_GUARD),
        ("enabled = true", None, None),
        ("enabled = true\ntell_at = 2", NO_GUARD, LoopGuard(tell_at=2)),
    ],
)
def test_each_key_of_the_guard_takes_the_place_of_the_codes(
    said: str, own: LoopGuard | None, guard: LoopGuard | None
) -> None:
    """What is left out stays as it is; None is the guard that conversations have anyway."""
    assert policy_of(f"[loop_guard]\n{said}").limits(Limits(guard=own)).guard == guard


def test_rates_and_costs_and_polling_are_said_of_tools() -> None:
    """By name, category or tag, like all else."""
    schema = {"type": "object", "properties": {}}
    tool = Tool(
        name="mail", parameters=schema, handler=print, tags=frozenset({"slow"}), category="out"
    )
    policy = policy_of(
        """[categories.out]
rate = { limit = 100, per = 60, key = "mail:{context.tenant}" }
[tags.slow]
polling = true
[tools.mail]
cost = 7
"""
    )

    applied = policy.tool(tool)

    assert applied.rate == Rate(100, 60, "mail:{context.tenant}")
    assert (applied.polling, applied.cost) == (True, 7)
    rate = {"limit": 100, "per": 60, "key": "mail:{context.tenant}"}
    assert Said("rate", rate, "categories.out", 2) in outcome(policy, tool)
    assert applied.digest == tool.digest


def test_what_is_counted_is_told_with_its_line() -> None:
    """Budgets and the guard are of no single tool."""
    policy = policy_of(
        """[budgets.turn]
calls = 20
[[budgets.principal]]
calls = 5
per = 60
[[budgets.principal]]
cost = 2
per = 60.5
[loop_guard]
deny_at = 4
"""
    )

    assert counted_outcome(policy) == (
        Said("budgets.turn", {"calls": 20}, "budgets.turn", 1),
        Said("budgets.principal", {"calls": 5, "per": 60}, "budgets.principal", 3),
        Said("budgets.principal", {"cost": 2, "per": 60.5}, "budgets.principal", 6),
        Said("loop_guard", {"deny_at": 4}, "loop_guard", 9),
    )


def test_every_fault_is_told_with_line_and_key() -> None:
    """What cannot be a budget, too."""
    faults = faults_of(
        """[budgets.turn]
calls = 20
per = 3
[budgets.talk]
calls = 3
[[budgets.principal]]
calls = 5
per = 60
[[budgets.principal]]
cost = 1
[[budgets.conversation]]
calls = 1.5
call = 1
[loop_guard]
deny_at = 1
tell = 3
[tools.x]
rate = { limit = 0, pr = 60 }
[loop_guard.more]
"""
    )

    assert set(faults) == {
        "p.toml: line 12: budgets.conversation.0.calls: must be a whole number",
        ("p.toml: line 13: budgets.conversation.0.call: there is no such key; did you mean calls?"),
        "p.toml: line 15: loop_guard.deny_at: must be 2 or more",
        "p.toml: line 16: loop_guard.tell: there is no such key; did you mean tell_at?",
        "p.toml: line 1: budgets.turn: a turn's budget has no period: leave per out",
        "p.toml: line 18: tools.x.rate.limit: must be 1 or more",
        "p.toml: line 18: tools.x.rate.pr: there is no such key; did you mean per?",
        "p.toml: line 18: tools.x.rate: per is missing",
        (
            "p.toml: line 19: loop_guard.more: there is no such key; there are enabled, tell_at,"
            " deny_at, forget_after"
        ),
        (
            "p.toml: line 4: budgets.talk: there is no such key; there are turn, conversation,"
            " principal"
        ),
        (
            "p.toml: line 9: budgets.principal.1: a principal's budget needs a period: give per,"
            " in seconds"
        ),
    }


@pytest.mark.parametrize(
    "text", ["budgets = 3", "[budgets]", "[budgets]\nturn = 3", "[loop_guard]"]
)
def test_what_says_nothing_is_refused(text: str) -> None:
    """Nobody can mean it."""
    assert faults_of(text)
