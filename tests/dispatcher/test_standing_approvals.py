"""Standing approvals: calls that people have allowed before are not asked about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from tests.dispatcher.allowed import (
    ANN,
    BOB,
    LEAD,
    TOOLS,
    allow,
    pay,
    registry_of,
    waiting,
)
from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import response
from toolferry import Approval, Context, Outcome
from toolferry_dispatcher import DecisionRefused, Dispatcher
from toolferry_ledger import (
    Settings,
    open_spec,
    read_case,
)
from toolferry_ledger.grants import read_grants
from toolferry_policies import read_policy


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        yield dispatcher


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


def test_a_second_standing_approval_goes_on_where_the_first_is_spent(
    dispatcher: Dispatcher,
) -> None:
    """The one that ends first is used first."""
    later, sooner = allow(dispatcher, lasts=900.0, uses=1), allow(dispatcher, uses=1)

    asked = [waiting(dispatcher, BOB) for _ in range(3)]

    assert [bool(keys) for keys in asked] == [False, False, True]
    names = [one.allowance.id for one in dispatcher.approvals.standing.current()]
    assert names == [sooner.allowance.id, later.allowance.id]


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


def test_a_turn_that_is_dispatched_again_is_judged_by_the_policy_of_now(settings: Settings) -> None:
    """What operators have forbidden since waits for a person, who may deny it."""
    policy = read_policy(b"[tools.pay]\nenabled = false", "p.toml")
    with Dispatcher(TOOLS, settings) as dispatcher:
        waiting(dispatcher, BOB, turn_id="t")
        allow(dispatcher)
    with Dispatcher(TOOLS, settings, policy=policy) as dispatcher:
        again = dispatcher.dispatch(response(("pay", BOB)), context=ANN, turn_id="t")

        assert [one.call_key for one in again.approvals()] == ["t:0"]
        assert dispatcher.approvals.standing.current()[0].left == 2


def test_a_look_that_fails_leaves_the_call_waiting(
    dispatcher: Dispatcher, client: redis.Redis, settings: Settings
) -> None:
    """The turn is written by then, so nothing is raised; the log says what could not be asked."""
    allow(dispatcher)
    [whose] = client.scan_iter(f"{settings.key_prefix}allowed:*")
    client.delete(whose)
    client.set(whose, "no list of anything")

    with capture_logs() as logs:
        asked = waiting(dispatcher, BOB, turn_id="t")

    assert asked == ["t:0"]
    assert "approval.not_answered" in [line["event"] for line in logs]
    client.delete(whose)


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
