"""Standing approvals: who gives them, who takes them back, and when they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
import redis

from tests.dispatcher.allowed import (
    BOB,
    LEAD,
    TOOLS,
    allow,
    waiting,
)
from tests.waiting import wait_until
from toolferry_dispatcher import AllowanceRefused, Dispatcher, StandingApproval
from toolferry_ledger import (
    Bell,
    Canceller,
    Ledger,
    Purger,
    Settings,
    Signer,
    Tenant,
)
from toolferry_policies import Approver


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        yield dispatcher


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
        (
            {"tool": "log_in", "pinned": {"pin": "1"}, "free": {"user"}},
            "pin is secret, or may hold",
        ),
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

    for who, why in (
        (Approver("zoe", verified=True), "only people with the role lead"),
        (Approver("eve"), "it takes a person's token"),
    ):
        with pytest.raises(AllowanceRefused, match=why):
            standing.revoke(one.allowance.id, who)
    standing.revoke(one.allowance.id, Approver("eve", verified=True))

    assert standing.current() == ()


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
