"""What an ended call holds while its handler still runs: its resource and its place."""

from __future__ import annotations

from dataclasses import replace

import redis

from tests.ledger.samples import Bench, Placement
from toolferry import CallState, Concurrency, Outcome
from toolferry_ledger import Claim, Keeping, Settings, Settlement
from toolferry_policies import AttemptEnd

TIMED_OUT = AttemptEnd(outcome=Outcome.TIMED_OUT, retryable=False)
TABLE = Placement(resource="table", writes=True)
ONE = Placement(concurrency=Concurrency(1, "account:7"))


def end_holding(bench: Bench, claim: Claim) -> list[str]:
    """Tell that a call is over whose handler runs on; give the calls that go on by it."""
    end = replace(bench.conclude(claim, TIMED_OUT), holding=True)
    return [ring.call_key for ring in bench.ledger.settle([end], bench.worker).rings]


def end_late(bench: Bench, claim: Claim) -> list[str]:
    """Tell that its handler has ended; give the calls that go on by it."""
    settlement = bench.conclude(claim)
    late = Settlement(claim.call_key, claim.fence, settlement.state, late=True, note=b"{}")
    return [ring.call_key for ring in bench.ledger.settle([late], bench.worker).rings]


def test_a_resource_is_free_when_the_handler_has_really_ended(bench: Bench) -> None:
    """And not when its call was told to be over."""
    (claim,) = bench.claim(bench.submit("one", placement=TABLE).rings)
    bench.submit("two", placement=TABLE)

    told, late = end_holding(bench, claim), end_late(bench, claim)

    assert (told, late) == ([], ["two:0"])
    assert bench.state("one:0") == "timed_out"


def test_a_place_under_a_limit_is_kept_as_long(bench: Bench) -> None:
    """No other call runs beside a handler that does not stop."""
    rings = bench.submit("one", count=2, placement=ONE).rings
    first = bench.claim(rings[:1])
    bench.claim(rings[1:])

    told, late = end_holding(bench, first[0]), end_late(bench, first[0])

    assert (told, late) == ([], ["one:1"])


def test_what_a_dead_worker_held_is_free(bench: Bench, client: redis.Redis) -> None:
    """The sweep that finds its lease ended lets go."""
    bench.ledger.beat(bench.worker, [], 1)
    (claim,) = bench.claim(bench.submit("one", placement=TABLE).rings)
    bench.submit("two", placement=TABLE)
    end_holding(bench, claim)
    client.zadd(f"{bench.ledger.settings.key_prefix}owners", {bench.worker: 1})

    rings = bench.ledger.sweep(2.0, {}).rings

    assert [ring.call_key for ring in rings] == ["two:0"]


def test_a_late_end_changes_nothing_of_the_result(bench: Bench) -> None:
    """It stands in the history, and nowhere else."""
    (claim,) = bench.claim(bench.submit("one", placement=TABLE).rings)
    end_holding(bench, claim)
    before = bench.ledger.results("one", [0])

    end_late(bench, claim)

    assert bench.ledger.results("one", [0]) == before


def test_a_late_end_cannot_end_a_call_that_is_tried_again(bench: Bench) -> None:
    """The old handler comes back while its call waits for the next attempt."""
    (claim,) = bench.claim(bench.submit().rings)
    bench.finish(claim, AttemptEnd(outcome=Outcome.FAILED))
    failed = bench.conclude(claim, AttemptEnd(outcome=Outcome.FAILED, retryable=False))

    accepted = bench.ledger.settle([failed], bench.worker).accepted

    assert (accepted, bench.state()) == ([False], "retrying")


def test_the_word_that_a_handler_has_ended_may_come_first(bench: Bench) -> None:
    """The two words go over two connections; nothing stays taken then."""
    (claim,) = bench.claim(bench.submit("one", placement=TABLE).rings)
    bench.submit("two", placement=TABLE)

    late, told = end_late(bench, claim), end_holding(bench, claim)

    assert (late, told) == ([], ["two:0"])


def test_what_is_held_outlives_the_time_that_records_are_kept(settings: Settings) -> None:
    """It is let go by the record."""
    bench = Bench.on(replace(settings, keeping=Keeping(succeeded=0.1, failed=0.1, dead=0.1)))
    (claim,) = bench.claim(bench.submit("one", placement=TABLE).rings)
    end_holding(bench, claim)

    kept = bench.ledger.client.pttl(f"{settings.key_prefix}call:one:0")
    end_late(bench, claim)
    left = bench.ledger.client.pttl(f"{settings.key_prefix}call:one:0")

    assert kept > 60_000
    assert left <= 100


def test_nobody_writes_for_the_owner_of_a_call(bench: Bench) -> None:
    """A worker that lost its claim to another one under the same fence has no say."""
    (claim,) = bench.claim(bench.submit().rings)
    given_back = Settlement(claim.call_key, claim.fence, CallState.RETRYING, uncounted=True)

    accepted = bench.ledger.settle([given_back], "worker-2").accepted

    assert (accepted, bench.state()) == ([False], "running")
