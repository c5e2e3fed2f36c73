"""What an application adds to the pipeline: facts, interceptors and hooks, before a call runs."""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import dataclass
from typing import Any

import pytest

from toolferry import (
    Context,
    ErrorCode,
    Extensions,
    FactProvider,
    Hooks,
    Interceptor,
    Outcome,
    Registry,
    ToolCall,
    tool,
)
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_ledger import Settings
from toolferry_policies import (
    Deny,
    Facts,
    Modify,
    Permit,
    RequireApproval,
    Verdict,
)
from toolferry_testing import Rehearsal, RehearsedTurn


def owner_asks(facts: Facts) -> Verdict:
    """Let an account be read by its owner only, as a rule of a tool does."""
    if facts.known["owner"] == facts.context.principal:
        return Permit()
    return Deny(ErrorCode.DENIED, f"The account belongs to {facts.known['owner']}.")


@tool(rules=[owner_asks])
async def read_account(account: str) -> str:
    """Read an account."""
    return f"balance of {account}"


@tool
async def greet(name: str) -> str:
    """Greet somebody."""
    return f"Hello {name}"


async def owner(facts: Facts) -> str:
    """Look up who owns an account."""
    await asyncio.sleep(0)
    return {"a1": "ada", "b1": "bob"}[facts.call.arguments["account"]]


OWNER = FactProvider("owner", owner, tools={"read_account"})
ADA = Context(principal="ada")


def rehearse(extensions: Extensions, *calls: tuple[str, dict[str, Any]]) -> RehearsedTurn:
    """Run a turn of Ada's."""
    rehearsal = Rehearsal(Registry([read_account, greet]), extensions=extensions)
    return rehearsal.dispatch(
        [ToolCall(f"c{at}", *call) for at, call in enumerate(calls)], context=ADA
    )


def test_a_rule_knows_what_was_looked_up() -> None:
    """In the dispatcher, and again in the worker, which looks up nothing."""
    turn = rehearse(
        Extensions(facts=[OWNER]),
        ("read_account", {"account": "a1"}),
        ("read_account", {"account": "b1"}),
    )

    mine, others = turn.results
    assert mine.content == "balance of a1"
    assert others.error is not None
    assert others.error.message == "The account belongs to bob."


def test_whatever_can_be_called_can_look_a_fact_up() -> None:
    """Also what cannot be the key of anything."""

    @dataclass
    class Owners:
        names: dict[str, str]

        def __call__(self, facts: Facts) -> str:
            return self.names[facts.call.arguments["account"]]

    provider = FactProvider("owner", Owners({"a1": "ada"}))
    rehearsal = Rehearsal(Registry([read_account]), extensions=Extensions(facts=[provider]))
    turn = rehearsal.dispatch(
        [ToolCall("c1", "read_account", {"account": "a1"})], context=Context(principal="ada")
    )

    assert turn.results[0].content == "balance of a1"


def test_a_rule_that_needs_a_fact_nobody_looked_up_denies() -> None:
    """The provider was forgotten; nobody must get through for that."""
    turn = rehearse(Extensions(), ("read_account", {"account": "a1"}))

    assert turn.results[0].outcome is Outcome.DENIED


def test_only_calls_of_the_tools_that_want_a_fact_are_looked_up() -> None:
    """And of them only those that name a tool and fit its schema."""
    asked: list[str] = []

    def look_up(facts: Facts) -> str:
        asked.append(facts.call.call_id)
        return "ada"

    rehearse(
        Extensions(facts=[FactProvider("owner", look_up, tools={"read_account"})]),
        ("greet", {"name": "Bo"}),
        ("read_account", {"account": 7}),
        ("read_account", {"account": "a1"}),
        ("read_acount", {"account": "a1"}),
    )

    assert asked == ["c2"]


@pytest.mark.parametrize("count", [1, 40])
def test_all_look_ups_of_a_turn_run_at_the_same_time(count: int) -> None:
    """Each waits for all others, the sync ones and the async ones."""
    threads, tasks = threading.Barrier(count), asyncio.Barrier(count)

    async def owner_of(_facts: Facts) -> str:
        """Wait for the others."""
        await tasks.wait()
        return "ada"

    def limit_of(_facts: Facts) -> int:
        threads.wait(5)
        return 10

    facts = [FactProvider("owner", owner_of, within=5), FactProvider("limit", limit_of, within=5)]
    turn = rehearse(Extensions(facts=facts), *[("read_account", {"account": "a1"})] * count)

    assert [one.outcome for one in turn.results] == [Outcome.SUCCEEDED] * count


def test_what_was_looked_up_is_looked_up_anew_for_changed_arguments() -> None:
    """What is known of one account says nothing about another."""

    def own_account(facts: Facts) -> Verdict:
        if facts.call.arguments["account"] == "a1":
            return Permit()
        return Modify({"account": "a1"}, "account is your own one.")

    turn = rehearse(
        Extensions(facts=[OWNER], hooks=[Hooks(pre_execute=[own_account])]),
        ("read_account", {"account": "b1"}),
        ("read_account", {"account": "a1"}),
    )

    other, own = turn.results
    assert other.outcome is Outcome.DENIED  # the rules come before the hooks
    assert own.content == "balance of a1"


def test_a_rule_sees_the_facts_of_what_it_changed() -> None:
    """The change of a rule has everything looked up anew, too."""

    def own_account(facts: Facts) -> Verdict:
        if facts.call.arguments["account"] == "a1":
            return Permit()
        return Modify({"account": "a1"}, "account is your own one.")

    @tool(rules=[own_account, owner_asks])
    async def read_own(account: str) -> str:
        """Read an account."""
        return account

    turn = Rehearsal(
        Registry([read_own]), extensions=Extensions(facts=[FactProvider("owner", owner)])
    ).dispatch([ToolCall("c1", "read_own", {"account": "b1"})], context=ADA)

    assert turn.results[0].content == "a1"
    assert turn.results[0].changes == ("account is your own one.",)


def test_a_hook_is_asked_once_of_what_all_checks_let_through() -> None:
    """It sees the facts, and nothing of calls that are denied anyway."""
    seen: list[tuple[str, Any]] = []

    async def sees(facts: Facts) -> Verdict:
        """Note what it sees."""
        seen.append((facts.call.call_id, facts.known["owner"]))
        return Permit()

    rehearse(
        Extensions(facts=[FactProvider("owner", owner)], hooks=[Hooks(pre_execute=[sees])]),
        ("read_account", {"account": "a1"}),
        ("read_account", {"account": "b1"}),
    )

    assert seen == [("c0", "ada")]


def test_a_hook_denies_with_its_own_words() -> None:
    """The first that denies decides; those after it are not asked."""
    asked: list[str] = []

    def first(_facts: Facts) -> Verdict:
        return Deny(ErrorCode.DENIED, "Not on a Sunday.")

    def second(_facts: Facts) -> Verdict:
        asked.append("second")
        return Permit()

    turn = rehearse(
        Extensions(hooks=[Hooks(pre_execute=(first, second))]), ("greet", {"name": "x"})
    )

    assert json.loads(turn.messages()[0]["content"])["message"] == "Not on a Sunday."
    assert asked == []


def test_a_hook_can_have_a_person_asked(settings: Settings) -> None:
    """The call then waits for one, with the hook's reason."""
    hooks = Hooks(pre_execute=[lambda _facts: RequireApproval("It is late.")])

    with Dispatcher(
        Registry([greet]), settings, extensions=Extensions(hooks=[hooks])
    ) as dispatcher:
        dispatcher.dispatch([ToolCall("c1", "greet", {"name": "Bo"})], turn_id="t1")
        waiting = dispatcher._core.ledger.inspect_call("t1:0")  # noqa: SLF001 -- nothing tells it yet

    assert waiting is not None
    assert waiting.state == "awaiting_approval"


def test_what_a_hook_changed_is_judged_anew() -> None:
    """No change gets past the schema."""

    def changes(facts: Facts) -> Verdict:
        if facts.call.arguments["name"] == "Bo":
            return Modify({"name": 7}, "name is a number.")
        return Permit()

    turn = rehearse(Extensions(hooks=[Hooks(pre_execute=[changes])]), ("greet", {"name": "Bo"}))

    assert turn.results[0].error is not None
    assert turn.results[0].error.code == "schema"


def test_the_model_is_told_what_a_hook_changed() -> None:
    """The call runs with the new arguments."""

    def changes(facts: Facts) -> Verdict:
        name = facts.call.arguments["name"]
        return Permit() if name.istitle() else Modify({"name": name.title()}, "name is a title.")

    turn = rehearse(Extensions(hooks=[Hooks(pre_execute=[changes])]), ("greet", {"name": "bo"}))

    assert json.loads(turn.messages()[0]["content"]) == {
        "ok": True,
        "content": "Hello Bo",
        "changed": ["name is a title."],
    }


def test_a_hook_that_changes_a_call_for_ever_denies_it() -> None:
    """As checks that undo each other's changes."""
    hooks = Hooks(
        pre_execute=[lambda facts: Modify({**facts.call.arguments, "name": "x"}, "again")]
    )

    turn = rehearse(Extensions(hooks=[hooks]), ("greet", {"name": "Bo"}))

    assert turn.results[0].outcome is Outcome.DENIED


def test_a_hook_cannot_change_arguments_in_passing() -> None:
    """Only its verdict can, which is judged."""

    def meddles(facts: Facts) -> Verdict:
        facts.call.arguments["name"] = "somebody else"  # type: ignore[index]  # what a hook must not do
        return Permit()

    turn = rehearse(
        Extensions(
            interceptors=[Interceptor("meddler", before=meddles)],
            hooks=[Hooks(pre_execute=[meddles])],
        ),
        ("greet", {"name": "Bo"}),
    )

    assert turn.results[0].content == "Hello Bo"


async def test_a_look_up_does_not_hold_the_loop_of_an_asyncio_dispatcher(
    settings: Settings,
) -> None:
    """The loop answers the look-up that the dispatch waits for."""
    loop, go_on = asyncio.get_running_loop(), threading.Event()

    def waits(_facts: Facts) -> str:
        """Wait for the loop."""
        loop.call_soon_threadsafe(go_on.set)
        return "ada" if go_on.wait(5) else "nobody"

    facts = [FactProvider("owner", waits, within=10)]
    async with AsyncDispatcher(
        Registry([read_account]), settings, extensions=Extensions(facts=facts)
    ) as dispatcher:
        turn = await dispatcher.dispatch(
            [ToolCall("c1", "read_account", {"account": "a1"})], context=ADA
        )

        assert turn.watch.ended == frozenset()
