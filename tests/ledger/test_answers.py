"""Answers before the end: the conversation goes on, and hears of the end later."""

from __future__ import annotations

from typing import Any

import redis

from tests.ledger.samples import Bench


def test_the_first_answer_of_a_call_stays(bench: Bench) -> None:
    """Whoever answers again is told that it is answered."""
    bench.submit(count=2)

    first = bench.ledger.answer("t", {0: b"running"})
    again = bench.ledger.answer("t", {0: b"still running", 1: b"running"})

    record = bench.ledger.attach("t")
    assert (first, again) == ({0}, {0, 1})
    assert record is not None
    assert record.answers == {0: b"running", 1: b"running"}


def test_a_call_that_has_ended_is_not_answered(bench: Bench) -> None:
    """Its result is its answer."""
    (claim,) = bench.claim(bench.submit().rings)
    bench.finish(claim)

    answered = bench.ledger.answer("t", {0: b"running"})

    assert answered == set()


def test_the_end_of_an_answered_call_is_told_as_an_event(bench: Bench, client: redis.Redis) -> None:
    """And no other call's; a conversation without a name has no list of its own."""
    claims = bench.claim(bench.submit(count=2).rings)
    bench.ledger.answer("t", {1: b"running"})

    for claim in claims:
        bench.finish(claim)

    assert list(client.scan_iter(f"{bench.ledger.settings.key_prefix}late:*")) == []
    events: Any = client.xrange(f"{bench.ledger.settings.key_prefix}events")
    assert [entry for _, entry in events] == [{"kind": "late", "call": "t:1"}]


def test_a_turn_that_is_not_there_cannot_be_answered(bench: Bench, client: redis.Redis) -> None:
    """Nothing is written for it."""
    answered = bench.ledger.answer("gone", {0: b"running"})

    assert answered == set()
    assert client.exists(f"{bench.ledger.settings.key_prefix}turn:gone") == 0
