"""The loop guard: the same call again and again is told of, then denied."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from tests.dispatcher.hand_worker import HandWorker
from toolferry import Context, Registry, Tool, ToolCall, ToolResult
from toolferry_dispatcher import (
    NO_GUARD,
    Budget,
    BudgetScope,
    Dispatcher,
    Limits,
    LoopGuard,
    call_tools,
)
from toolferry_ledger import Settings

SCHEMA = {"type": "object", "properties": {"q": {"type": "number"}, "page": {"type": "integer"}}}


def registry() -> Registry:
    """Give an ordinary tool, one that is meant to be polled, and the call tools."""

    async def look(q: float = 0, page: int = 1) -> float:
        """Give it back."""
        return q + page

    tools = [
        Tool(name=name, parameters=SCHEMA, handler=look, polling=name == "poll")
        for name in ("look", "poll", "other")
    ]
    return Registry([*tools, *call_tools()])


Open = Callable[..., Dispatcher]


@pytest.fixture
def opened(settings: Settings) -> Iterator[Open]:
    """Give dispatchers of one system, with the guard that a test wants."""
    made: list[Dispatcher] = []

    def open_one(**options: Any) -> Dispatcher:
        made.append(Dispatcher(registry(), settings, limits=Limits(**options)))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


def look(call_id: str = "c", name: str = "look", **arguments: Any) -> ToolCall:
    """Write a call."""
    return ToolCall(call_id, name, arguments)


def refusals(dispatcher: Dispatcher, call: ToolCall, times: int, **options: Any) -> list[str]:
    """Make a call as a turn of its own so many times; give why each did not run."""
    found = []
    for _ in range(times):
        ended = dispatcher.dispatch([call], **{"conversation_id": "talk", **options}).read_ended()
        found.append(code_of(ended[0]) if ended else "")
    return found


def code_of(result: ToolResult) -> str:
    """Give why a call did not succeed."""
    return result.error.code if result.error else ""


def test_the_sixth_of_the_same_calls_is_denied(opened: Open) -> None:
    """In a conversation, whatever guard the dispatcher was not given."""
    found = refusals(opened(), look(q=7), 7)

    assert found == ["", "", "", "", "", "repeated_call", "repeated_call"]


def test_the_third_is_told_beside_its_result(opened: Open, worker: HandWorker) -> None:
    """And so is each after it, as long as it runs."""
    dispatcher, told = opened(), []
    for _ in range(4):
        handle = dispatcher.dispatch([look(q=7)], conversation_id="talk")
        worker.succeed(*worker.take())
        told.append(json.loads(handle.messages(timeout=5)[-1]["content"]).get("notes", []))

    assert [len(notes) for notes in told] == [0, 0, 1, 1]
    sentence = (
        "You have made this same call 3 times, with the same arguments: use what you know, or try"
        " another way. After 5 times it is denied."
    )
    assert told[2] == [sentence]
    assert "4 times" in told[3][0]


def test_counts_survive_the_dispatcher(opened: Open) -> None:
    """They are kept in the ledger: another process goes on counting."""
    refusals(opened(), look(q=7), 5)

    assert refusals(opened(), look(q=7.0), 1) == ["repeated_call"]


def test_another_call_is_another_matter(opened: Open) -> None:
    """Other arguments, another tool, another conversation or tenant."""
    dispatcher = opened()
    refusals(dispatcher, look(q=7), 6)

    assert refusals(dispatcher, look(q=8), 1) == [""]
    assert refusals(dispatcher, look(q=7, page=1), 1) == [""]
    assert refusals(dispatcher, look(name="other", q=7), 1) == [""]
    assert refusals(dispatcher, look(q=7), 1, conversation_id="other talk") == [""]
    assert refusals(dispatcher, look(q=7), 1, context=Context(tenant="b")) == [""]


def test_polling_tools_are_exempt(opened: Open) -> None:
    """They are meant to be asked again."""
    dispatcher = opened()

    assert refusals(dispatcher, look(name="poll"), 8) == [""] * 8
    handle = {"handle": "turn:0"}
    assert refusals(dispatcher, ToolCall("c", "call.status", handle), 8) == [""] * 8


def test_a_turn_without_a_conversation_is_counted_by_itself(opened: Open) -> None:
    """Where its dispatcher was given a guard: else what asks may be no model at all."""
    guarded, turn = opened(guard=LoopGuard()), [look(f"c{n}", q=1) for n in range(8)]

    found = [sorted(guarded.dispatch(turn).read_ended()) for _ in range(2)]

    assert found == [[5, 6, 7]] * 2
    assert opened().dispatch(turn).read_ended() == {}


def test_thresholds_can_be_set_or_left_out(opened: Open) -> None:
    """For a whole dispatcher."""
    assert refusals(opened(guard=NO_GUARD), look(q=1), 8) == [""] * 8
    strict = opened(guard=LoopGuard(tell_at=None, deny_at=2))
    assert refusals(strict, look(q=2), 2) == ["", "repeated_call"]


def test_what_does_not_run_for_other_reasons_is_not_counted(opened: Open) -> None:
    """A call over its budget was not made; one that was repeated too often costs nothing."""
    budget = Budget(scope=BudgetScope.CONVERSATION, calls=6)
    dispatcher = opened(budgets=[budget])

    found = refusals(dispatcher, look(q=7), 7)
    after = refusals(dispatcher, look(q=8), 2)

    assert found[5:] == ["repeated_call"] * 2
    assert after == ["", "budget_exhausted"]


def test_many_at_once_are_counted_one_by_one(opened: Open) -> None:
    """However many dispatchers and threads make the same call."""
    dispatchers = [opened() for _ in range(3)]

    with ThreadPoolExecutor(12) as threads:
        found = threads.map(lambda n: refusals(dispatchers[n % 3], look(q=7), 1)[0], range(24))

    assert sorted(found) == [""] * 5 + ["repeated_call"] * 19


def test_a_conversation_keeps_a_bounded_number_of_counts(
    opened: Open, client: redis.Redis, settings: Settings
) -> None:
    """One of a thousand different calls begins anew, and ends by itself."""
    dispatcher = opened()
    calls = [look(f"c{n}", q=n) for n in range(1100)]

    dispatcher.dispatch(calls[:600], conversation_id="talk")
    (key,) = client.keys(f"{settings.key_prefix}repeats:*")
    kept, ttl = client.hlen(key), client.pttl(key)
    dispatcher.dispatch(calls, conversation_id="talk")

    assert (kept, client.hlen(key)) == (600, 0)
    assert 0 < ttl <= 86_400_000
