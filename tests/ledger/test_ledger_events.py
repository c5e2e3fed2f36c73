"""Events: what programs that listen hear of."""

from __future__ import annotations

import redis

from tests.ledger.samples import SUCCESS, Bench
from tests.ledger.test_dead_letters import claim_replay, die
from toolferry import CallState
from toolferry_ledger import NEWEST, OLDEST, Bell, DeadLetters, LedgerEvent


def read(bench: Bench, after: str = OLDEST) -> list[LedgerEvent]:
    """Read what is there."""
    return bench.ledger.read_events(after, 0)[1]


def test_a_dead_letter_is_an_event(bench: Bench) -> None:
    """With its tool and how it ended."""
    die(bench)

    (event,) = read(bench)

    assert (event.kind, event.call_key, event.turn_id) == ("dead", "t:0", "t")
    assert (event.tool, event.state) == ("read_file", CallState.FAILED)


def test_the_end_of_a_replay_is_an_event(bench: Bench) -> None:
    """It names the call that was repeated."""
    letters = DeadLetters(bench.ledger, bench.signer, Bell(bench.ledger.settings))
    (replayed,) = letters.replay([die(bench)])

    bench.finish(claim_replay(bench, replayed), SUCCESS)

    event = read(bench)[-1]
    assert (event.kind, event.call_key, event.replay_of) == ("replayed", "t.0~1:0", "t:0")
    assert event.state is CallState.SUCCEEDED


def test_a_listener_reads_on_where_it_was(bench: Bench) -> None:
    """It misses nothing and hears nothing twice."""
    die(bench, "a")
    position, first = bench.ledger.read_events(OLDEST, 0)
    die(bench, "b")

    second = read(bench, position)

    assert [event.call_key for event in (*first, *second)] == ["a:0", "b:0"]
    assert read(bench, first[0].position) == second


def test_who_asks_for_what_comes_hears_of_nothing_older(bench: Bench) -> None:
    """And misses nothing that comes between two reads."""
    die(bench, "old")
    position, before = bench.ledger.read_events(NEWEST, 0)
    die(bench, "new")

    assert before == []
    assert [event.call_key for event in read(bench, position)] == ["new:0"]


def test_an_event_outlives_its_call(bench: Bench, client: redis.Redis) -> None:
    """What is not known any more is empty."""
    die(bench)
    client.delete(f"{bench.ledger.settings.key_prefix}call:t:0")

    (event,) = read(bench)

    assert (event.call_key, event.tool, event.state) == ("t:0", "", None)
