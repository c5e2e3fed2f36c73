"""Budgets, rates and the loop guard of a policy file hold like those of the code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.dispatcher.hand_worker import HandWorker
from toolferry import Context, Registry, ToolCall, tool
from toolferry_dispatcher import Budget, BudgetScope, Dispatcher, Limits
from toolferry_ledger import PolicyFile, Settings


@tool(category="web")
async def look(n: int = 0) -> int:
    """Look."""
    return n


@tool(polling=True)
async def ask(n: int = 0) -> int:
    """Ask again and again."""
    return n


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


Open = Callable[..., Dispatcher]


@pytest.fixture
def clock() -> Clock:
    """Give what a policy file goes by."""
    return Clock()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give the path of a policy file."""
    return tmp_path / "toolferry.toml"


@pytest.fixture
def opened(settings: Settings, file: Path, clock: Clock) -> Iterator[Open]:
    """Give dispatchers that follow the file."""
    made: list[Dispatcher] = []

    def open_one(text: str, limits: Limits = Limits()) -> Dispatcher:  # noqa: B008 -- frozen
        file.write_text(text)
        policy = PolicyFile(file, clock)
        made.append(Dispatcher(Registry([look, ask]), settings, policy=policy, limits=limits))
        return made[-1]

    yield open_one
    for one in made:
        one.close()


def refused(dispatcher: Dispatcher, *numbers: int, name: str = "look", **options: Any) -> list[str]:
    """Dispatch calls and give why each did not run; empty when it did."""
    calls = [ToolCall(f"c{at}", name, {"n": n}) for at, n in enumerate(numbers)]
    ended = dispatcher.dispatch(calls, **options).read_ended()
    errors = {at: one.error.code for at, one in ended.items() if one.error}
    return [errors.get(at, "") for at in range(len(calls))]


def test_a_budget_of_the_file_holds(opened: Open) -> None:
    """It says how many run, whatever the code allows."""
    own = Limits([Budget(scope=BudgetScope.TURN, calls=9)])

    found = refused(opened("[budgets.turn]\ncalls = 2", own), *range(4))

    assert found == ["", "", "budget_exhausted", "budget_exhausted"]


def test_costs_of_the_file_are_charged(opened: Open) -> None:
    """What a call costs is what operators say that it does."""
    text = "[budgets.conversation]\ncost = 10\n[categories.web]\ncost = 4\n"

    found = refused(opened(text), 1, 2, 3, conversation_id="talk")

    assert found == ["", "", "budget_exhausted"]


def test_the_guard_of_the_file_denies(opened: Open) -> None:
    """Tools that operators call polling are exempt, and others again not."""
    text = "[loop_guard]\ndeny_at = 2\n[tools.look]\npolling = true\n[tools.ask]\npolling = false\n"
    dispatcher = opened(text)

    assert refused(dispatcher, 1, 1, name="ask") == ["", "repeated_call"]
    assert refused(dispatcher, 1, 1, name="look") == ["", ""]


def test_a_budget_that_changes_holds_from_the_next_turn_on(
    opened: Open, file: Path, clock: Clock
) -> None:
    """What was spent stays spent."""
    whose: dict[str, Any] = {"context": Context(principal="ann")}
    dispatcher = opened("[budgets.principal]\ncalls = 2\nper = 60\n")
    before = refused(dispatcher, 1, 2, 3, **whose)

    file.write_text("[budgets.principal]\ncalls = 3\nper = 60\n")
    for clock.now in (2.0, 4.0):  # one look finds the change, the next that it stays
        dispatcher.policy  # noqa: B018 -- looks at the file
    after = refused(dispatcher, 4, 5, **whose)

    assert before == ["", "", "budget_exhausted"]
    assert after == ["", "budget_exhausted"]


def test_a_rate_of_the_file_is_kept_when_calls_are_claimed(
    opened: Open, worker: HandWorker, client: redis.Redis
) -> None:
    """It stands in the record of each call, its key filled; a call without one has none."""
    rate = '{ limit = 2, per = 60, key = "web:{context.tenant}" }'
    dispatcher = opened(f"[categories.web]\nrate = {rate}\n")
    prefix = worker.ledger.settings.key_prefix
    made = [ToolCall(str(n), name, {"n": n}) for n, name in enumerate(["look"] * 3 + ["ask"])]

    dispatcher.dispatch(made, turn_id="t", context=Context(tenant="acme"))
    claims = worker.take()

    assert [claim.call_key for claim in claims] == ["t:0", "t:1", "t:3"]
    assert client.hget(f"{prefix}call:t:2", "waits_for") == "rate:2/60000:web:acme"
    assert client.hget(f"{prefix}call:t:3", "rate") is None
