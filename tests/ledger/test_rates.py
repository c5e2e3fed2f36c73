"""Rates: how often calls start, kept when they are claimed, by all workers together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import redis

from tests.ledger.samples import Bench, Placement
from toolferry import CallState, Concurrency, Priority, Rate
from toolferry_ledger import Claim, Ring, Settlement, open_spec
from toolferry_ledger.endings import overdue_end

#: So long that no test sees it end by itself.
MINUTE = 60.0
TWO = Placement(rate=Rate(2, MINUTE, "account:7"))


@pytest.fixture
def later(bench: Bench, client: redis.Redis) -> Any:
    """Give what lets time pass for the rates, and has a reaper look: it gives what it rang."""

    def pass_time(seconds: float) -> list[Ring]:
        prefix = bench.ledger.settings.key_prefix
        for key in [*client.keys(f"{prefix}started:*"), f"{prefix}paces"]:
            for member in client.zrange(key, 0, -1):
                client.zincrby(key, -seconds * 1000, str(member))
        return bench.ledger.due(2.0).rings

    return pass_time


def claim_all(bench: Bench, rings: list[Ring], worker: str = "w") -> list[str]:
    """Claim what was rung, and what that lets out, until nothing more comes; name what started."""
    started = []
    while rings:
        reply = bench.ledger.claim(worker, [(ring.call_key, ring.fence) for ring in rings])
        started += keys(reply.claims)
        rings = reply.rings
    return started


def keys(claims: list[Claim]) -> list[str]:
    """Name the calls that were claimed."""
    return [claim.call_key for claim in claims]


def test_no_more_than_the_rate_start(bench: Bench) -> None:
    """Whoever claims, of whatever turn; ends make no room."""
    first = bench.claim(bench.submit("one", count=3, placement=TWO).rings)
    released = bench.ledger.settle([bench.conclude(claim) for claim in first]).rings

    second = bench.claim(bench.submit("two", placement=TWO).rings, worker="worker-2")

    assert keys(first) == ["one:0", "one:1"]
    assert (released, second) == ([], [])
    assert [bench.state(key) for key in ("one:2", "two:0")] == ["queued", "queued"]


def test_calls_go_on_when_there_is_room_again_in_their_turn(bench: Bench, later: Any) -> None:
    """As many as fit, those that came first first; not a moment before."""
    ran = [claim_all(bench, bench.submit("t", count=13, placement=TWO).rings)]

    early = later(MINUTE - 1)
    ran += [claim_all(bench, later(seconds)) for seconds in (2, *[MINUTE + 1] * 5)]

    assert early == []
    assert ran == [*[[f"t:{n}", f"t:{n + 1}"] for n in range(0, 12, 2)], ["t:12"]]


def test_the_window_slides(bench: Bench, later: Any) -> None:
    """Each start makes room for one, a whole time after it."""
    bench.claim(bench.submit("a", placement=TWO).rings)
    later(MINUTE / 2)
    bench.claim(bench.submit("b", count=3, placement=TWO).rings)

    first = bench.claim(later(MINUTE / 2 + 1))
    second = bench.claim(later(MINUTE / 2))

    assert (keys(first), keys(second)) == (["b:1"], ["b:2"])


def test_no_newcomer_passes_those_that_wait(bench: Bench, later: Any) -> None:
    """Though there is room when it comes: they are sent on, and it stands behind."""
    bench.claim(bench.submit("old", count=4, placement=TWO).rings)
    prefix = bench.ledger.settings.key_prefix
    bench.ledger.client.delete(f"{prefix}started:2/60000:account:7")

    reply = bench.submit("new", placement=TWO)
    notices = [(ring.call_key, ring.fence) for ring in reply.rings]
    claimed = bench.ledger.claim("w", notices)

    assert claimed.claims == []
    assert keys(bench.claim(claimed.rings)) == ["old:2", "old:3"]
    assert keys(bench.claim(later(MINUTE + 1))) == ["new:0"]


def test_a_more_urgent_call_goes_first(bench: Bench, later: Any) -> None:
    """However many others wait."""
    bulk, urgent = (replace(TWO, priority=one) for one in (Priority.BULK, Priority.INTERACTIVE))
    claim_all(bench, bench.submit("bulk", count=5, placement=bulk).rings)
    claim_all(bench, bench.submit("urgent", placement=urgent).rings)

    assert set(claim_all(bench, later(MINUTE + 1))) == {"urgent:0", "bulk:2"}


def test_a_claim_says_when_to_look_again(bench: Bench) -> None:
    """And so does every reaper, whatever else it waits for."""
    rings = bench.submit(count=3, placement=TWO).rings

    reply = bench.ledger.claim("w", [(ring.call_key, ring.fence) for ring in rings])
    wait = bench.ledger.due(2.0).wait

    assert reply.wake is not None
    assert MINUTE - 1 < reply.wake <= MINUTE + 0.001
    assert wait is not None
    assert wait <= 65  # the limits of the two that run


def test_a_call_that_waits_for_its_rate_keeps_its_deadline(bench: Bench) -> None:
    """It says what it waited for, and leaves nobody waiting behind it."""
    bench.claim(bench.submit("t", count=3, placement=TWO).rings)

    found = bench.ledger.inspect_call("t:2")

    assert found is not None
    error = overdue_end(open_spec(bench.signer, found), found).error
    assert error is not None
    assert error.message == (
        "read_file did not start within its deadline of 60 s: no more than 2 calls for account:7"
        " may start in 60 s."
    )
    assert found.deadline_at - found.now == pytest.approx(60, abs=5)


def test_a_call_that_ended_while_it_waited_takes_no_room(bench: Bench, later: Any) -> None:
    """The next one has its place."""
    bench.claim(bench.submit("t", count=4, placement=TWO).rings)
    found = bench.ledger.inspect_call("t:2")
    assert found is not None
    bench.ledger.settle([Settlement("t:2", found.fence, CallState.CANCELLED, b"{}")])

    assert keys(bench.claim(later(MINUTE + 1))) == ["t:3"]


def test_a_call_that_was_sent_on_and_comes_late_starts_within_the_rate(
    bench: Bench, later: Any
) -> None:
    """Its place is forgotten with its time; it then stands before all that came after it."""
    bench.claim(bench.submit("t", count=3, placement=TWO).rings)
    sent_on = later(MINUTE + 1)
    later(MINUTE + 1)
    others = bench.claim(bench.submit("u", count=3, placement=TWO).rings)

    too_late = bench.claim(sent_on)

    assert (keys(others), keys(too_late)) == (["u:0", "u:1"], [])
    assert keys(bench.claim(later(MINUTE + 1))) == ["t:2", "u:2"]


def test_a_claim_that_is_repeated_counts_once(bench: Bench) -> None:
    """Its answer was lost, its starts were not."""
    rings = bench.submit(count=1, placement=TWO).rings
    notices = [(ring.call_key, ring.fence) for ring in rings]

    for _ in range(3):
        bench.ledger.claim("w", notices, claim_id="same")

    assert len(bench.claim(bench.submit("u", count=3, placement=TWO).rings)) == 1


def test_every_attempt_counts(bench: Bench) -> None:
    """A service does not care why it is asked again."""
    (claim,) = bench.claim(bench.submit(placement=TWO).rings)
    back = Settlement(claim.call_key, claim.fence, CallState.QUEUED)
    bench.claim(bench.ledger.settle([back]).rings)

    assert bench.claim(bench.submit("u", placement=TWO).rings) == []


def test_a_rate_and_a_limit_are_kept_together(bench: Bench, later: Any) -> None:
    """A call over its rate takes no place under its limit, and gives back one it was given."""
    both = Placement(rate=Rate(2, MINUTE, "k"), concurrency=Concurrency(1, "k"))
    other = Placement(concurrency=Concurrency(1, "k"))
    (first,) = bench.claim(bench.submit("t", count=3, placement=both).rings)
    bench.claim(bench.submit("u", placement=other).rings)
    (second,) = bench.claim(bench.ledger.settle([bench.conclude(first)]).rings)
    third = bench.ledger.settle([bench.conclude(second)])

    notices = [(ring.call_key, ring.fence) for ring in third.rings]
    reply = bench.ledger.claim("w", notices)
    last = bench.claim(reply.rings)
    bench.finish(last[0])

    assert (keys([second]), reply.claims, keys(last)) == (["t:1"], [], ["u:0"])
    assert keys(bench.claim(later(MINUTE + 1))) == ["t:2"]


def test_rates_leave_nothing_behind(bench: Bench, client: redis.Redis, later: Any) -> None:
    """What is remembered of starts ends by itself."""
    claims = bench.claim(bench.submit(count=4, placement=TWO).rings)
    while claims:
        bench.ledger.settle([bench.conclude(claim) for claim in claims])
        claims = bench.claim(later(MINUTE + 1))

    prefix = bench.ledger.settings.key_prefix
    later(MINUTE + 1)
    assert client.keys(f"{prefix}paced:*") + client.keys(f"{prefix}paces") == []
    assert all(client.pttl(key) > 0 for key in client.keys(f"{prefix}started:*"))
    assert bench.state("t:3") == "succeeded"
