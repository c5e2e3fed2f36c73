"""Limits on how many calls run at once: kept when a call is claimed, by all workers together."""

from __future__ import annotations

from dataclasses import replace

import redis

from tests.ledger.samples import Bench, Placement, make_spec
from toolferry import CallState, Concurrency, Priority
from toolferry_ledger import Settlement

TWO = Placement(concurrency=Concurrency(2, "account:7"))
ONE = Placement(concurrency=Concurrency(1, "account:7"))


def test_no_more_than_the_limit_run_at_once(bench: Bench) -> None:
    """Whoever claims, and of whatever turn the calls are."""
    first = bench.submit("one", count=2, placement=TWO)
    second = bench.submit("two", count=2, placement=TWO)

    running = bench.claim(first.rings) + bench.claim(second.rings, worker="worker-2")

    assert [claim.call_key for claim in running] == ["one:0", "one:1"]
    assert [bench.state(f"two:{n}") for n in (0, 1)] == ["queued", "queued"]


def test_each_end_sends_the_next_one_on(bench: Bench) -> None:
    """In the order in which they came; nobody polls."""
    claims = bench.claim(bench.submit("one", count=4, placement=TWO).rings)

    ran = []
    while claims:
        claim = claims.pop(0)
        ran.append(claim.call_key)
        claims += bench.claim(bench.ledger.settle([bench.conclude(claim)]).rings)
        assert len(claims) <= 2

    assert ran == [f"one:{n}" for n in range(4)]


def test_a_limit_counts_only_its_own_key(bench: Bench) -> None:
    """Another account is not kept waiting."""
    bench.claim(bench.submit("one", count=2, placement=TWO).rings)
    other = Placement(concurrency=Concurrency(2, "account:8"))

    assert len(bench.claim(bench.submit("two", placement=other).rings)) == 1


def test_a_retry_frees_its_place(bench: Bench) -> None:
    """Between two attempts nothing runs."""
    one = Placement(concurrency=Concurrency(1, "key"))
    claim = bench.claim(bench.submit("one", placement=one).rings)[0]
    bench.claim(bench.submit("two", placement=one).rings)

    retry = Settlement(claim.call_key, claim.fence, CallState.RETRYING, delay=60)
    released = bench.ledger.settle([retry]).rings

    assert [ring.call_key for ring in released] == ["two:0"]


def test_a_call_that_ends_on_its_way_out_of_the_line_sends_the_next_one(bench: Bench) -> None:
    """A freed place is not lost with a call that was cancelled before it was claimed."""
    one = Placement(concurrency=Concurrency(1, "key"))
    claim = bench.claim(bench.submit("one", count=3, placement=one).rings)[0]
    (ring,) = bench.ledger.settle([bench.conclude(claim)]).rings

    cancelled = Settlement(ring.call_key, ring.fence, CallState.CANCELLED, b"{}")
    released = bench.ledger.settle([cancelled]).rings

    assert [one.call_key for one in released] == ["one:2"]


def test_a_call_over_a_limit_says_so(bench: Bench) -> None:
    """The limit is named with its key."""
    bench.claim(bench.submit(count=3, placement=TWO).rings)

    found = bench.ledger.inspect_call("t:2")

    assert found is not None
    assert found.waits_for == "limit:2:account:7"


def test_limits_leave_nothing_behind(bench: Bench, client: redis.Redis) -> None:
    """The counts are sets that end when they are empty."""
    claims = bench.claim(bench.submit(count=4, placement=TWO).rings)
    while claims:
        released = bench.ledger.settle([bench.conclude(claim) for claim in claims]).rings
        claims = bench.claim(released) if released else []

    prefix = bench.ledger.settings.key_prefix
    assert client.keys(f"{prefix}busy:*") + client.keys(f"{prefix}parked:*") == []
    assert bench.state("t:3") == "succeeded"


def test_a_more_urgent_call_gets_the_next_place(bench: Bench) -> None:
    """However many less urgent ones are parked, and in the order of their coming."""
    bulk = replace(ONE, priority=Priority.BULK)
    first = bench.claim(bench.submit("bulk", count=4, placement=bulk).rings)[0]
    urgent = replace(ONE, priority=Priority.INTERACTIVE)
    assert bench.claim(bench.submit("urgent", placement=urgent).rings) == []

    released = bench.ledger.settle([bench.conclude(first)]).rings

    assert [ring.call_key for ring in released] == ["urgent:0"]


def test_no_newcomer_takes_the_place_of_a_call_that_was_sent_on(bench: Bench) -> None:
    """The place is its own from the end that freed it until it has run."""
    first = bench.claim(bench.submit("old", count=2, placement=ONE).rings)[0]
    sent_on = bench.ledger.settle([bench.conclude(first)]).rings

    newcomer = bench.claim(bench.submit("new", placement=ONE).rings)

    assert newcomer == []
    assert [claim.call_key for claim in bench.claim(sent_on)] == ["old:1"]


def test_a_repeated_claim_wakes_nobody_twice(bench: Bench) -> None:
    """A call that was parked by a claim whose answer was lost is parked once."""
    rings = bench.submit(count=4, placement=TWO).rings
    notices = [(ring.call_key, ring.fence) for ring in rings]
    for _ in range(2):
        claims = bench.ledger.claim("w", notices, claim_id="same").claims

    released = bench.ledger.settle([bench.conclude(claim) for claim in claims]).rings

    assert {ring.call_key for ring in released} == {"t:2", "t:3"}
    assert len(bench.claim(released)) == 2


def test_a_queue_that_nobody_serves_does_not_keep_a_place(bench: Bench) -> None:
    """The place goes to the next call that a worker can run."""
    bench.ledger.beat("w", [make_spec().pool], 4)
    first = bench.claim(bench.submit("first", placement=ONE).rings)[0]
    bench.claim(bench.submit("gone", placement=ONE, queue="gpu").rings)
    bench.claim(bench.submit("served", placement=ONE).rings)

    released = bench.ledger.settle([bench.conclude(first)]).rings

    assert [ring.call_key for ring in released] == ["served:0"]
