"""A rehearsal counts budgets and repeats as the ledger does."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from toolferry import Context, Registry, Tool, ToolCall, ToolResult
from toolferry_dispatcher import NO_GUARD, Budget, BudgetScope, Dispatcher, Limits, LoopGuard
from toolferry_ledger import Settings
from toolferry_policies import NO_POLICY, read_policy
from toolferry_testing import Delays, Rehearsal

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
#: Each example counts for conversations and callers of its own.
EXAMPLES = itertools.count()


def registry() -> Registry:
    """Give tools of two prices, and one that may be asked again and again."""

    async def run(n: int = 0) -> int:
        """Give it back."""
        return n

    def made(name: str, **fields: Any) -> Tool:
        return Tool(name=name, parameters=SCHEMA, handler=run, timeout=3, **fields)

    return Registry([made("cheap", cost=0.1), made("dear", cost=2), made("poll", polling=True)])


TOOLS = registry()
CALL = st.tuples(st.sampled_from(["cheap", "dear", "poll", "none"]), st.integers(0, 2))
TURN = st.tuples(st.sampled_from(["", "x", "y"]), st.lists(CALL, min_size=1, max_size=8))
BUDGET = st.builds(
    Budget,
    scope=st.sampled_from([BudgetScope.TURN, BudgetScope.CONVERSATION]),
    calls=st.integers(0, 8),
    cost=st.none() | st.sampled_from([0.3, 4.1]),
    seconds=st.none() | st.just(15),
)
GUARD = st.sampled_from([None, NO_GUARD, LoopGuard(tell_at=2, deny_at=3), LoopGuard(deny_at=None)])


def calls(*made: tuple[str, int]) -> list[ToolCall]:
    """Write calls."""
    return [ToolCall(f"c{at}", name, {"n": n}) for at, (name, n) in enumerate(made)]


def codes(results: dict[int, ToolResult]) -> dict[int, str]:
    """Give why calls did not run, by position."""
    return {at: one.error.code for at, one in results.items() if one.error}


@hypothesis_settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    turns=st.lists(TURN, min_size=1, max_size=6),
    budgets=st.lists(BUDGET, max_size=3),
    guard=GUARD,
)
def test_the_same_calls_are_refused_as_by_the_ledger(
    settings: Settings,
    turns: list[tuple[str, list[tuple[str, int]]]],
    budgets: list[Budget],
    guard: LoopGuard | None,
) -> None:
    """Whatever is limited, in whatever order the calls come."""
    example, limits = next(EXAMPLES), Limits(budgets, guard)
    rehearsal = Rehearsal(TOOLS, policy=None, limits=limits)

    with Dispatcher(TOOLS, settings, policy=None, limits=limits) as dispatcher:
        for talk, made in turns:
            named: dict[str, Any] = {"conversation_id": f"{talk}{example}"} if talk else {}
            rehearsed = rehearsal.dispatch(calls(*made), **named).results
            real = dispatcher.dispatch(calls(*made), **named).read_ended()

            assert codes(dict(enumerate(rehearsed))) == codes(real)


def test_the_third_of_the_same_calls_is_told_and_the_sixth_is_denied() -> None:
    """In a conversation, whatever limits are given; no handler is called for what is denied."""
    rehearsal = Rehearsal(TOOLS, policy=None)

    results = [
        rehearsal.dispatch(calls(("dear", 1)), conversation_id="talk").results[0] for _ in range(6)
    ]

    assert [len(one.notes) for one in results] == [0, 0, 1, 1, 1, 0]
    assert results[2].notes[0].startswith("You have made this same call 3 times,")
    assert results[5].error
    assert results[5].error.code == "repeated_call"
    assert (results[5].call_id, results[5].name) == ("c0", "dear")
    assert len(rehearsal.handled) == 5


def test_a_principals_budget_begins_anew_after_its_time() -> None:
    """By the rehearsal's clock; another principal has one of his own."""
    limits = Limits([Budget(scope=BudgetScope.PRINCIPAL, calls=2, per=2)])
    rehearsal = Rehearsal(TOOLS, policy=None, limits=limits).replace("dear", Delays(1.5))

    def refused(who: str, name: str = "cheap") -> bool:
        turn = rehearsal.dispatch(calls((name, 1)), context=Context(principal=who))
        return turn.results[0].is_error

    before = [refused(who) for who in ("ann", "bob", "ann", "ann")]
    assert not refused("carl", "dear")
    assert not refused("carl", "dear")
    after = [refused(who) for who in ("ann", "ann", "ann")]

    assert before == [False, False, False, True]
    assert after == [False, False, True]


def test_budgets_of_a_policy_file_count_too() -> None:
    """As of a dispatcher that follows it."""
    policy = read_policy(b"[budgets.turn]\ncalls = 1", "p.toml")

    turn = Rehearsal(TOOLS, policy=policy).dispatch(calls(("cheap", 1), ("dear", 1)))

    assert [one.is_error for one in turn.results] == [False, True]


def test_a_rehearsal_without_limits_counts_nothing() -> None:
    """A turn without a conversation may ask the same a hundred times."""
    turn = Rehearsal(TOOLS, policy=NO_POLICY).dispatch(calls(*[("cheap", 1)] * 100))

    assert not any(one.is_error or one.notes for one in turn.results)
