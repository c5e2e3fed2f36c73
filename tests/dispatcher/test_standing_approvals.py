"""Standing approvals: people allow calls before those are made, so often and for so long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pytest
import redis

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import response
from tests.waiting import wait_until
from toolferry import Approval, Context, EffectClass, Outcome, Registry, Tool, tool
from toolferry_dispatcher import AllowanceRefused, DecisionRefused, Dispatcher, StandingApproval
from toolferry_ledger import (
    Bell,
    Canceller,
    Ledger,
    Purger,
    Settings,
    Signer,
    Tenant,
    open_spec,
    read_case,
)
from toolferry_ledger.grants import read_grants
from toolferry_policies import Approver, read_policy

LEAD = Approver("eve", frozenset({"lead"}), verified=True)
ANN = Context(principal="ann", tenant="shop")


@tool(
    effect=EffectClass.WRITE,
    confirm=True,
    deadline=600,
    approval=Approval(roles=frozenset({"lead"})),
)
async def pay(to: str, amount: int, currency: str = "EUR") -> str:
    """Pay somebody."""
    return f"{amount} {currency} to {to}"


@tool(effect=EffectClass.WRITE, confirm=True, deadline=600)
async def log_in(user: str, pin: str) -> str:
    """Log in."""
    return f"{user} with {len(pin)} digits"


@tool(effect=EffectClass.WRITE, confirm=True, approval=Approval(needed=2))
async def launch(target: str) -> str:
    """Launch something."""
    return target


SECRET_PIN = replace(
    log_in,
    parameters={
        **log_in.parameters,
        "properties": {"user": {"type": "string"}, "pin": {"type": "string", "writeOnly": True}},
    },
)


def registry_of(*tools: Tool) -> Registry:
    """Give a registry of some tools."""
    registry = Registry()
    for one in tools:
        registry.register(one)
    return registry


TOOLS = registry_of(pay, SECRET_PIN, launch)


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        yield dispatcher


def allow(dispatcher: Dispatcher, who: Approver = LEAD, **changes: Any) -> StandingApproval:
    """Allow Ann to pay Bob twice, whatever the amount."""
    words: dict[str, Any] = {
        "principal": "ann",
        "tenant": "shop",
        "pinned": {"to": "bob"},
        "free": {"amount"},
        "uses": 2,
        "lasts": 600.0,
        **changes,
    }
    return dispatcher.approvals.standing.allow(words.pop("tool", "pay"), who, **words)


def waiting(dispatcher: Dispatcher, *calls: dict[str, Any], **options: Any) -> list[str]:
    """Dispatch payments, and give the keys of those that wait for a person."""
    wanted = response(*(("pay", call) for call in calls))
    turn = dispatcher.dispatch(wanted, **{"context": ANN, **options})
    return [one.call_key for one in turn.approvals()]


BOB = {"to": "bob", "amount": 5}


def test_a_call_that_was_allowed_runs_without_anybody_being_asked(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """A worker takes its grant, which is for this call, and of the person who allowed it."""
    one = allow(dispatcher, note="He is paid each month")

    asked = waiting(dispatcher, BOB, turn_id="t")
    [claim] = worker.take()

    assert asked == []
    assert open_spec(worker.signer, claim).arguments == BOB
    [grant] = read_grants(worker.signer, claim.grant, "t:0", claim.spec)
    assert (grant.standing, grant.who) == (one.allowance.id, LEAD)
    decision = read_case(worker.ledger, worker.signer, "t:0").decision
    assert decision is not None
    assert (decision.who, decision.standing) == ("eve", one.allowance.id)
    assert (decision.allowed_at, decision.reason) == (one.allowance.at, "He is paid each month")
    [left] = dispatcher.approvals.standing.current()
    assert (left.left, left.allowance) == (1, one.allowance)


@pytest.mark.parametrize(
    ("arguments", "context"),
    [
        ({"to": "mallory", "amount": 5}, ANN),
        ({**BOB, "currency": "USD"}, ANN),
        (BOB, replace(ANN, principal="zed")),
        (BOB, replace(ANN, tenant="other")),
    ],
)
def test_what_nobody_spoke_about_waits_for_a_person(
    dispatcher: Dispatcher, arguments: dict[str, Any], context: Context
) -> None:
    """Another value, an argument that is neither pinned nor free, another principal or tenant."""
    allow(dispatcher)

    asked = waiting(dispatcher, arguments, context=context, turn_id="t")

    assert asked == ["t:0"]
    assert dispatcher.approvals.standing.current()[0].left == 2


def test_an_argument_at_its_default_need_not_be_named(dispatcher: Dispatcher) -> None:
    """Whether the model writes it or not, and whole numbers are the same with a point."""
    allow(dispatcher, pinned={"to": "bob", "amount": 5.0}, free=())

    asked = waiting(dispatcher, {**BOB, "currency": "EUR"}, BOB, {**BOB, "amount": 6}, turn_id="t")

    assert asked == ["t:2"]


def test_of_calls_made_at_once_as_many_run_as_were_allowed(
    settings: Settings, dispatcher: Dispatcher
) -> None:
    """20 dispatches of as many processes; the others wait for a person."""
    allow(dispatcher, uses=10)

    def one(number: int) -> list[str]:
        with Dispatcher(TOOLS, settings) as other:
            return waiting(other, {"to": "bob", "amount": number}, turn_id=f"t{number}")

    with ThreadPoolExecutor(20) as threads:
        asked = [key for found in threads.map(one, range(20)) for key in found]

    assert len(asked) == 10
    assert dispatcher.approvals.standing.current()[0].left == 0


def test_a_turn_that_is_dispatched_again_is_counted_once(dispatcher: Dispatcher) -> None:
    """Its calls are the same; what the dispatcher before could not answer any more is answered."""
    assert waiting(dispatcher, BOB, turn_id="t") == ["t:0"]
    allow(dispatcher)

    first, second = (waiting(dispatcher, BOB, turn_id="t") for _ in range(2))

    assert (first, second) == ([], [])
    assert dispatcher.approvals.standing.current()[0].left == 1


def test_of_a_person_and_a_standing_approval_at_once_one_decides(
    settings: Settings, dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """About each call; only what the standing approval decided is counted."""
    calls = [{"to": "bob", "amount": number} for number in range(30)]
    keys = waiting(dispatcher, *calls, turn_id="t")
    allow(dispatcher, uses=30)

    def decide(key: str) -> bool:
        try:
            return dispatcher.approvals.approve(key, replace(LEAD, name="zoe")).approved
        except DecisionRefused:
            return False

    with ThreadPoolExecutor(3) as threads, Dispatcher(TOOLS, settings) as other:
        again = threads.submit(waiting, other, *calls, turn_id="t")
        by_person = sum(threads.map(decide, reversed(keys)))

    assert again.result() == []
    decided = [read_case(worker.ledger, worker.signer, key).decision for key in keys]
    whose = Counter(bool(one and one.standing) for one in decided)
    assert (whose[False], whose.total()) == (by_person, 30)
    assert dispatcher.approvals.standing.current()[0].left == 30 - whose[True]
    assert len(worker.take()) > 0


def test_two_people_who_take_it_back_at_once_do_so_once(dispatcher: Dispatcher) -> None:
    """The other one is told that there is none any more."""
    standing = dispatcher.approvals.standing
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: allow(dispatcher, uses=1), range(8)))

        def take_back(one: StandingApproval) -> bool:
            try:
                standing.revoke(one.allowance.id, LEAD)
            except AllowanceRefused:
                return False
            return True

        took = list(threads.map(take_back, [*made, *made]))

    assert sum(took) == 8
    assert standing.current() == ()


def test_a_second_standing_approval_goes_on_where_the_first_is_spent(
    dispatcher: Dispatcher,
) -> None:
    """The one that ends first is used first."""
    later, sooner = allow(dispatcher, lasts=900.0, uses=1), allow(dispatcher, uses=1)

    asked = [waiting(dispatcher, BOB) for _ in range(3)]

    assert [bool(keys) for keys in asked] == [False, False, True]
    names = [one.allowance.id for one in dispatcher.approvals.standing.current()]
    assert names == [sooner.allowance.id, later.allowance.id]


def test_what_is_revoked_answers_nothing_more(dispatcher: Dispatcher) -> None:
    """What was granted before stays so; a second revocation says that there is none."""
    standing, one = dispatcher.approvals.standing, allow(dispatcher)
    before = waiting(dispatcher, BOB)

    standing.revoke(one.allowance.id, LEAD)

    assert (before, waiting(dispatcher, BOB, turn_id="t")) == ([], ["t:0"])
    assert standing.current() == ()
    with pytest.raises(AllowanceRefused, match="there is none: it has ended, was revoked"):
        standing.revoke(one.allowance.id, LEAD)


def test_what_has_ended_answers_nothing_and_leaves_nothing_behind(
    dispatcher: Dispatcher, client: redis.Redis, settings: Settings
) -> None:
    """Its keys end with it."""
    allow(dispatcher, lasts=0.05)
    wait_until(lambda: dispatcher.approvals.standing.current() == (), "its end")

    assert waiting(dispatcher, BOB, turn_id="t") == ["t:0"]
    assert not list(client.scan_iter(f"{settings.key_prefix}allow*"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"who": Approver("zoe", verified=True)}, "only people with the role lead decide"),
        ({"who": replace(LEAD, verified=False)}, "it takes a person's token"),
        ({"who": replace(LEAD, name="ann")}, "such calls are made on behalf of ann, and nobody"),
        ({"who": replace(LEAD, name="e\nve")}, "must be legible"),
        ({"tool": "launch", "pinned": {"target": "x"}, "free": ()}, "it takes 2 people to approve"),
        ({"tool": "unknown"}, "is not known here: start a worker that has it"),
        ({"free": ()}, "amount is neither pinned nor free"),
        ({"free": {"amount", "to"}}, "to is pinned and free at once"),
        ({"pinned": {"to": "bob", "tx": "x"}}, "is no argument of it"),
        ({"pinned": {"to": object()}}, "are no JSON data"),
        ({"tool": "log_in", "pinned": {"pin": "1"}, "free": {"user"}}, "pin is secret, or may hold a secret"),
        ({"uses": 0}, "must be a whole number, 1 to 10,000"),
        ({"uses": True}, "must be a whole number"),
        ({"lasts": 0}, "it must end within 30 days"),
        ({"lasts": 31 * 86_400}, "it must end within 30 days"),
        ({"lasts": float("nan")}, "it must end within 30 days"),
    ],
)
def test_who_may_not_allow_something_is_told_why(
    dispatcher: Dispatcher, changes: dict[str, Any], why: str
) -> None:
    """One sentence, and nothing is kept."""
    with pytest.raises(AllowanceRefused, match=why):
        allow(dispatcher, **changes)

    assert dispatcher.approvals.standing.current() == ()


def test_only_who_may_decide_takes_it_back(dispatcher: Dispatcher) -> None:
    """And who gave it, whatever has become of their roles."""
    standing, one = dispatcher.approvals.standing, allow(dispatcher)

    with pytest.raises(AllowanceRefused, match="only people with the role lead"):
        standing.revoke(one.allowance.id, Approver("zoe", verified=True))
    standing.revoke(one.allowance.id, Approver("eve"))

    assert standing.current() == ()


def test_what_is_forbidden_stays_so(settings: Settings) -> None:
    """Whoever has allowed it before: the checks come first, and nothing is used up."""
    policy = read_policy(b"[tools.pay]\nenabled = false", "p.toml")
    with Dispatcher(TOOLS, settings) as dispatcher:
        allow(dispatcher)
    with Dispatcher(TOOLS, settings, policy=policy) as dispatcher:
        [result] = dispatcher.dispatch(response(("pay", BOB)), context=ANN).gather(0)

        assert result.outcome is Outcome.DENIED
        assert dispatcher.approvals.standing.current()[0].left == 2


@pytest.mark.parametrize("terms", [Approval(roles=frozenset({"owner"})), Approval(needed=2)])
def test_a_call_on_other_terms_waits_for_those_who_may(settings: Settings, terms: Approval) -> None:
    """What counts are the terms of the call, not those of the moment when it was allowed."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        allow(dispatcher)
    with Dispatcher(registry_of(replace(pay, approval=terms)), settings) as dispatcher:
        assert waiting(dispatcher, BOB, turn_id="t") == ["t:0"]


def test_another_version_of_a_tool_is_asked_about_anew(settings: Settings) -> None:
    """What its arguments mean may have changed."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        allow(dispatcher)
    with Dispatcher(registry_of(replace(pay, version="2")), settings) as dispatcher:
        assert waiting(dispatcher, BOB, turn_id="t") == ["t:0"]


def test_a_secret_argument_may_be_free(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """The others are compared as they are, although the record hides some of them."""
    allow(dispatcher, tool="log_in", pinned={"user": "bob"}, free={"pin"})
    turn = dispatcher.dispatch(
        response(("log_in", {"user": "bob", "pin": "4711"})), context=ANN, turn_id="t"
    )

    assert turn.approvals() == ()
    assert [claim.call_key for claim in worker.take()] == ["t:0"]


Forge = Callable[[redis.Redis, str, str], None]


def raise_uses(client: redis.Redis, start: str, name: str) -> None:
    """Let it count more often than was said."""
    client.hset(f"{start}allowance:{name}", "left", 1000)


def change_text(client: redis.Redis, start: str, name: str) -> None:
    """Let it be for another."""
    text = str(client.hget(f"{start}allowance:{name}", "text"))
    client.hset(f"{start}allowance:{name}", "text", text.replace("bob", "eve"))


def copy(client: redis.Redis, start: str, name: str) -> None:
    """Have it twice."""
    client.rename(f"{start}allowance:{name}", f"{start}allowance:other")
    whose = next(iter(client.scan_iter(f"{start}allowed:*")))
    client.zadd(whose, {"other": 4e12})
    client.zadd(f"{start}allowances", {"other": 4e12})


@pytest.mark.parametrize("forge", [raise_uses, change_text, copy])
def test_a_record_that_was_changed_answers_nothing(
    dispatcher: Dispatcher, client: redis.Redis, settings: Settings, forge: Forge
) -> None:
    """Who can write to the server cannot allow anything."""
    one = allow(dispatcher)

    forge(client, settings.key_prefix, one.allowance.id)

    assert waiting(dispatcher, BOB, turn_id="t") == ["t:0"]
    assert dispatcher.approvals.standing.current() == ()


def test_calls_that_need_no_person_cost_no_look(
    dispatcher: Dispatcher, client: Any, settings: Settings
) -> None:
    """Nobody reads what was allowed."""
    allow(dispatcher)
    quiet = registry_of(replace(pay, confirm=False))
    with Dispatcher(quiet, settings) as other, client.monitor() as monitor:
        for asking in (other, dispatcher):
            asking.dispatch(response(("pay", BOB)), context=ANN)
            client.echo("dispatched")
        seen = (line["command"] for line in monitor.listen())
        without, looking = (
            list(takewhile(lambda line: "dispatched" not in line, seen)) for _ in range(2)
        )

    start = f"{settings.key_prefix}allow"
    assert not any(start in line for line in without)
    assert any(start in line for line in looking)


def test_a_purge_of_a_tenant_takes_what_was_allowed_for_it(
    dispatcher: Dispatcher, client: redis.Redis, settings: Settings
) -> None:
    """And nobody else's."""
    allow(dispatcher)
    kept = allow(dispatcher, tenant="other")
    ledger = Ledger(settings)

    with closing(Bell(settings)) as bell:
        Purger(ledger, Canceller(ledger, bell, Signer(settings.secret))).purge(Tenant("shop"))

    assert [one.allowance.id for one in dispatcher.approvals.standing.current()] == [
        kept.allowance.id
    ]
    assert len(list(client.scan_iter(f"{settings.key_prefix}allow*"))) == 3
    ledger.close()
