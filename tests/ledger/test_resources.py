"""Resources: across turns calls that touch the same keep their order when one of them writes."""

from __future__ import annotations

import pytest
import redis

from tests.ledger.samples import Bench, Placement
from toolferry import CallState
from toolferry_ledger import Settlement

WRITES = Placement(resource="file:a", writes=True)
READS = Placement(resource="file:a")


def states(bench: Bench, *turns: str) -> list[str]:
    """Read the state of the first call of each turn."""
    return [bench.state(f"{turn}:0") for turn in turns]


def test_a_write_waits_for_the_write_of_an_earlier_turn(bench: Bench) -> None:
    """It is rung when that has ended, however that was."""
    first = bench.submit("one", placement=WRITES)
    second = bench.submit("two", placement=WRITES)
    claim = bench.claim(first.rings)[0]

    assert second.rings == []
    assert states(bench, "one", "two") == ["running", "waiting"]

    released = bench.ledger.settle([bench.conclude(claim)]).rings

    assert [ring.call_key for ring in released] == ["two:0"]


def test_reads_run_together_between_two_writes(bench: Bench) -> None:
    """A write waits for every read since the last write, a read for the last write only."""
    write = bench.claim(bench.submit("w1", placement=WRITES).rings)[0]
    for turn in ("r1", "r2"):
        bench.submit(turn, placement=READS)
    bench.submit("w2", placement=WRITES)
    bench.submit("r3", placement=READS)

    reads = bench.claim(bench.ledger.settle([bench.conclude(write)]).rings)

    assert {claim.call_key for claim in reads} == {"r1:0", "r2:0"}
    assert states(bench, "w2", "r3") == ["waiting", "waiting"]

    assert bench.finish(reads[0])
    assert states(bench, "w2") == ["waiting"]
    last = bench.claim(bench.ledger.settle([bench.conclude(reads[1])]).rings)
    assert [claim.call_key for claim in last] == ["w2:0"]
    assert [r.call_key for r in bench.ledger.settle([bench.conclude(last[0])]).rings] == ["r3:0"]


def test_a_write_keeps_its_resource_while_it_is_tried_again(bench: Bench) -> None:
    """A retry is not an end: the next write does not slip in between two attempts."""
    claim = bench.claim(bench.submit("one", placement=WRITES).rings)[0]
    bench.submit("two", placement=WRITES)

    bench.ledger.settle([Settlement(claim.call_key, claim.fence, CallState.RETRYING, delay=60)])

    assert states(bench, "one", "two") == ["retrying", "waiting"]


def test_a_call_that_ended_while_it_waited_lets_nobody_pass_its_predecessor(bench: Bench) -> None:
    """The third write waits for the first although the second was cancelled."""
    claim = bench.claim(bench.submit("one", placement=WRITES).rings)[0]
    bench.submit("two", placement=WRITES)
    cancelled = Settlement("two:0", 0, CallState.CANCELLED, b"{}")
    assert bench.ledger.settle([cancelled]).accepted == [True]

    bench.submit("three", placement=WRITES)

    assert states(bench, "three") == ["waiting"]
    released = bench.ledger.settle([bench.conclude(claim)]).rings
    assert [ring.call_key for ring in released] == ["three:0"]


def test_other_resources_and_plain_calls_do_not_wait(bench: Bench) -> None:
    """Only what touches the same waits."""
    bench.submit("one", placement=WRITES)

    other = bench.submit("two", placement=Placement(resource="file:b", writes=True))
    plain = bench.submit("three")

    assert (len(other.rings), len(plain.rings)) == (1, 1)


def test_a_resource_may_have_any_name(bench: Bench) -> None:
    """Also none at all: `{path}` of an empty path."""
    for number, name in enumerate(["", "a:b", "w:r:x", "line\nbreak", "é" * 200]):
        placement = Placement(resource=name, writes=True)
        first = bench.submit(f"one{number}", placement=placement)
        second = bench.submit(f"two{number}", placement=placement)

        assert (len(first.rings), second.rings) == (1, [])
        end = bench.conclude(bench.claim(first.rings)[0])
        assert len(bench.claim(bench.ledger.settle([end]).rings)) == 1


def test_within_a_turn_the_plan_decides(bench: Bench) -> None:
    """Calls of one turn are not made to wait twice for each other."""
    reply = bench.submit("one", count=2, after=lambda i: (0,) if i else (), placement=WRITES)
    claim = bench.claim(reply.rings)[0]

    released = bench.ledger.settle([bench.conclude(claim)]).rings

    assert [ring.call_key for ring in released] == ["one:1"]


def test_a_waiting_call_says_for_whom_it_waits(bench: Bench) -> None:
    """People and the call's own result name the call that is in the way."""
    bench.submit("one", placement=WRITES)
    bench.submit("two", placement=WRITES)

    found = bench.ledger.inspect_call("two:0")

    assert found is not None
    assert found.waits_for == "one:0"


@pytest.mark.parametrize("calls", [200, pytest.param(1000, marks=pytest.mark.slow)])
def test_many_writes_leave_nothing_behind(bench: Bench, client: redis.Redis, calls: int) -> None:
    """The places that calls take at a resource go with them."""
    rings = []
    for number in range(calls):
        rings += bench.submit(f"t{number}", placement=WRITES).rings
    while rings:
        claims = bench.claim(rings)
        rings = bench.ledger.settle([bench.conclude(claim) for claim in claims]).rings
        assert len(claims) == 1

    prefix = bench.ledger.settings.key_prefix
    words = ("writer", "readers", "next")
    left = [key for word in words for key in client.keys(f"{prefix}{word}:*")]
    assert left == []
    assert bench.state(f"t{calls - 1}:0") == "succeeded"


@pytest.mark.parametrize("calls", [500, pytest.param(2000, marks=pytest.mark.slow)])
def test_a_long_chain_of_cancelled_calls_is_passed_at_once(bench: Bench, calls: int) -> None:
    """However many ended while they waited."""
    claim = bench.claim(bench.submit("first", placement=WRITES).rings)[0]
    for number in range(calls):
        bench.submit(f"t{number}", placement=WRITES)
        bench.ledger.settle([Settlement(f"t{number}:0", 0, CallState.CANCELLED, b"{}")])
    bench.submit("last", placement=WRITES)

    released = bench.ledger.settle([bench.conclude(claim)]).rings

    assert [ring.call_key for ring in released] == ["last:0"]
