"""Budgets are counted in the step that writes a turn: no more gets through than they allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from tests.dispatcher.hand_worker import HandWorker
from toolferry import Context, EffectClass, Outcome, Registry, Tool, ToolCall, ToolResult
from toolferry_dispatcher import AsyncDispatcher, Budget, BudgetScope, Dispatcher, Limits
from toolferry_ledger import Settings

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


def registry() -> Registry:
    """Give tools of two prices, one that only some may call and one that a person has to allow."""

    async def run(n: int = 0) -> int:
        """Give it back."""
        return n

    def made(name: str, **fields: Any) -> Tool:
        return Tool(name=name, parameters=SCHEMA, handler=run, timeout=5, deadline=30, **fields)

    return Registry(
        [
            made("cheap", cost=0.1),
            made("dear", cost=5),
            made("closed", permissions={"money:move"}),
            made("asked", confirm=True),
            made("alone", exclusive=True, cost=5, effect=EffectClass.WRITE),
        ]
    )


Open = Callable[..., Dispatcher]


@pytest.fixture
def opened(settings: Settings) -> Iterator[Open]:
    """Give dispatchers of one system, with the budgets that a test wants."""
    made: list[Dispatcher] = []

    def open_one(*budgets: Budget) -> Dispatcher:
        made.append(Dispatcher(registry(), settings, limits=Limits(budgets)))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


def calls(name: str, count: int, first: int = 0) -> list[ToolCall]:
    """Write so many different calls of a tool."""
    return [ToolCall(f"{name}{n}", name, {"n": n}) for n in range(first, first + count)]


def refused(dispatcher: Dispatcher, made: Sequence[ToolCall], **options: Any) -> list[int]:
    """Dispatch calls and give the positions of those that were refused at once."""
    handle = dispatcher.dispatch(list(made), **options)
    ended = handle.read_ended()
    assert all(code_of(one) == "budget_exhausted" for one in ended.values())
    return sorted(ended)


def code_of(result: ToolResult) -> str:
    """Give why a call did not succeed."""
    return result.error.code if result.error else ""


@pytest.mark.parametrize(
    ("budget", "runs"),
    [
        (Budget(scope=BudgetScope.TURN, calls=3), 3),
        (Budget(scope=BudgetScope.TURN, cost=1), 10),
        (Budget(scope=BudgetScope.CONVERSATION, seconds=20), 4),
        (Budget(scope=BudgetScope.PRINCIPAL, calls=0, per=60), 0),
    ],
)
def test_a_turn_gets_what_its_budget_allows(opened: Open, budget: Budget, runs: int) -> None:
    """The first ones run; each other has a clear error."""
    found = refused(opened(budget), calls("cheap", 12), conversation_id="c")

    assert found == list(range(runs, 12))


def test_twenty_at_once_against_a_limit_of_ten(opened: Open) -> None:
    """Exactly ten run, from however many dispatchers and threads."""
    budget = Budget(scope=BudgetScope.PRINCIPAL, calls=10, per=3600)
    dispatchers = [opened(budget) for _ in range(4)]

    def one(number: int) -> bool:
        made = calls("cheap", 1, number)
        return not refused(dispatchers[number % 4], made, context=Context(principal="ann"))

    with ThreadPoolExecutor(20) as threads:
        ran = sum(threads.map(one, range(20)))

    assert ran == 10


def test_budgets_are_kept_apart(opened: Open) -> None:
    """By conversation, tenant and principal, whatever colons their names have."""
    talk = Budget(scope=BudgetScope.CONVERSATION, calls=1)
    dispatcher = opened(talk)
    both = [("c", "t"), ("t:c", "x"), ("c", "x:t"), ("c2", "t")]

    first = [
        refused(dispatcher, calls("cheap", 1), conversation_id=c, context=Context(tenant=t))
        for c, t in both
    ]
    again = refused(dispatcher, calls("cheap", 1), conversation_id="c", context=Context(tenant="t"))

    assert first == [[], [], [], []]
    assert again == [0]


def test_a_turn_that_is_dispatched_again_is_charged_once(opened: Open) -> None:
    """Under the same id it is the same turn, and its refusals are the same."""
    dispatcher = opened(Budget(scope=BudgetScope.CONVERSATION, calls=3))
    options = {"conversation_id": "c", "turn_id": "once"}

    both = [refused(dispatcher, calls("cheap", 4), **options) for _ in range(2)]
    next_turn = refused(dispatcher, calls("cheap", 1), conversation_id="c")

    assert both == [[3], [3]]
    assert next_turn == [0]


def test_what_is_denied_otherwise_is_not_charged(opened: Open) -> None:
    """A call that may not run costs nobody anything; nor does one that did not fit in."""
    dispatcher = opened(Budget(scope=BudgetScope.CONVERSATION, calls=2, cost=1))
    made = [*calls("closed", 2), *calls("dear", 1), *calls("cheap", 3)]

    ended = dispatcher.dispatch(made, conversation_id="c").read_ended()

    assert {at: code_of(result) for at, result in ended.items()} == {
        **dict.fromkeys((0, 1), "denied"),
        **dict.fromkeys((2, 5), "budget_exhausted"),
    }


def test_a_call_that_waits_for_a_person_is_charged(opened: Open) -> None:
    """When it is asked for: nobody approves beyond the budget."""
    dispatcher = opened(Budget(scope=BudgetScope.CONVERSATION, calls=1))

    assert refused(dispatcher, calls("asked", 1), conversation_id="c") == []
    assert refused(dispatcher, calls("cheap", 1), conversation_id="c") == [0]


def test_nobody_is_asked_about_a_call_beyond_its_budget(opened: Open, worker: HandWorker) -> None:
    """The order of the checks: budgets come before people."""
    dispatcher = opened(Budget(scope=BudgetScope.TURN, calls=0))

    assert refused(dispatcher, calls("asked", 2), turn_id="t") == [0, 1]
    assert worker.ledger.inspect_call("t:0") is None


async def test_the_dispatcher_for_event_loops_counts_as_well(settings: Settings) -> None:
    """It is the same core."""
    limits = Limits([Budget(scope=BudgetScope.TURN, calls=0)])

    async with AsyncDispatcher(registry(), settings, limits=limits) as dispatcher:
        turn = await dispatcher.dispatch(calls("cheap", 2))
        results = await turn.gather(timeout=5)

    assert [code_of(one) for one in results] == ["budget_exhausted"] * 2


def test_who_follows_a_refused_call_follows_what_it_was_to_follow(
    opened: Open, worker: HandWorker
) -> None:
    """The order of a turn holds also through a call that was refused when it was written."""
    dispatcher = opened(Budget(scope=BudgetScope.TURN, cost=1))
    made = [*calls("cheap", 2), *calls("alone", 1), *calls("cheap", 1, 7)]

    handle = dispatcher.dispatch(made)
    first = worker.take()
    waits = [worker.ledger.inspect_call(f"{handle.turn_id}:{at}") for at in (2, 3)]
    worker.succeed(*first)

    assert list(handle.read_ended()) == [2]
    assert [claim.call_key for claim in first] == [f"{handle.turn_id}:{at}" for at in (0, 1)]
    assert [one and one.state for one in waits] == [None, "waiting"]
    assert [claim.call_key for claim in worker.take()] == [f"{handle.turn_id}:3"]


def test_refusals_are_told_to_who_attaches(opened: Open) -> None:
    """They stand in the turn, as those of every other check do."""
    budget = Budget(scope=BudgetScope.TURN, calls=0)
    handle = opened(budget).dispatch(calls("cheap", 1), turn_id="t")

    (result,) = opened().attach("t").gather(timeout=5)

    assert result == handle.gather(timeout=5)[0]
    assert (result.outcome, result.call_id, result.name) == (Outcome.DENIED, "cheap0", "cheap")
    assert result.error is not None
    assert not result.error.retryable
    assert result.error.suggestion


def test_budgets_end_by_themselves(opened: Open, client: redis.Redis, settings: Settings) -> None:
    """With their period, or 30 days after the last call; those of turns leave no key at all."""
    dispatcher = opened(
        Budget(scope=BudgetScope.TURN, calls=5),
        Budget(scope=BudgetScope.PRINCIPAL, calls=5, cost=3, per=60),
    )

    refused(dispatcher, calls("cheap", 3))

    (key,) = client.keys(f"{settings.key_prefix}budget:*")
    assert client.hgetall(key) == {"calls": "3", "cost": "0.3"}
    assert 0 < client.pttl(key) <= 60_000


def test_without_budgets_nothing_is_written(
    opened: Open, client: redis.Redis, settings: Settings
) -> None:
    """No key of theirs, and nothing is handed to the server."""
    refused(opened(), calls("cheap", 3))

    assert client.keys(f"{settings.key_prefix}budget:*") == []
    assert client.keys(f"{settings.key_prefix}repeats:*") == []
