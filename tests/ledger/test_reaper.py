"""The reaper: dead workers, passed limits, lost notices, on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import redis

from tests.ledger.samples import Bench, Placement, make_spec
from tests.waiting import wait_until
from toolferry import (
    CallState,
    Concurrency,
    Effect,
    EffectClass,
    ErrorCode,
    Lane,
    Outcome,
    RetryPolicy,
    ToolResult,
)
from toolferry_ledger import Bell, Keeping, Pool, Reaper, Route, Settings, Signer, read_result


@pytest.fixture
def bell(bench: Bench) -> Iterator[Bell]:
    """Give a bell on the shared server."""
    bell = Bell(bench.ledger.settings)
    yield bell
    bell.close()


@pytest.fixture
def reaper(bench: Bench, bell: Bell) -> Reaper:
    """Give a reaper that has swept once, as it has in any system that is up."""
    reaper = Reaper(bench.ledger, bell, bench.signer)
    reaper.tick()
    return reaper


def elect_again(bench: Bench) -> None:
    """Let the next tick sweep, as if a round had passed."""
    bench.ledger.client.delete(f"{bench.ledger.settings.key_prefix}sweeper")


def result_of(bench: Bench, turn_id: str = "t") -> ToolResult:
    """Read the first result of a turn."""
    return read_result(bench.ledger.results(turn_id, [0])[0])


def test_a_repeatable_call_of_a_dead_worker_is_tried_again(bench: Bench, reaper: Reaper) -> None:
    """A lost attempt of a reading tool is followed by another, and the late owner is refused."""
    claim = bench.claim(bench.submit().rings)[0]
    bench.ledger.leave(bench.worker, [Pool(Lane.ASYNC)])

    elect_again(bench)
    reaper.tick()

    assert bench.state() in {"retrying", "queued"}
    assert not bench.finish(claim)


def test_a_write_of_a_dead_worker_ends_as_lost(bench: Bench, reaper: Reaper) -> None:
    """What may have happened is not done again: the model is told that nobody knows."""
    bench.claim(bench.submit(effect_class=EffectClass.WRITE, repeatable=False).rings)
    bench.ledger.leave(bench.worker, [Pool(Lane.ASYNC)])

    elect_again(bench)
    reaper.tick()

    result = result_of(bench)
    assert (result.outcome, result.effect) == (Outcome.LOST, Effect.POSSIBLE)
    assert result.error is not None
    assert result.error.code == ErrorCode.WORKER_LOST


def test_a_poison_call_ends_after_its_attempts(bench: Bench, reaper: Reaper) -> None:
    """A call that kills every worker runs as often as its policy says and no more."""
    rings = bench.submit(retry=RetryPolicy(max_attempts=2, base=0.001, cap=0.001)).rings
    for _ in range(2):
        assert bench.claim(rings)
        bench.ledger.leave(bench.worker, [Pool(Lane.ASYNC)])
        elect_again(bench)
        reaper.tick()
        rings = []
        while bench.state() == "retrying" and not rings:
            rings = bench.ledger.due(60).rings

    assert result_of(bench).outcome is Outcome.LOST
    assert result_of(bench).attempts == 2


def test_a_worker_that_beats_keeps_its_calls(bench: Bench, reaper: Reaper) -> None:
    """A lease that was renewed is not touched by any number of rounds."""
    bench.claim(bench.submit().rings)
    bench.ledger.beat(bench.worker, [Pool(Lane.ASYNC)], 1)

    for _ in range(3):
        elect_again(bench)
        reaper.tick()

    assert bench.state() == "running"


def test_nothing_expires_right_after_the_server_was_away(bench: Bench, reaper: Reaper) -> None:
    """When rounds were missed, the clock is not believed until workers could renew."""
    bench.claim(bench.submit().rings)
    bench.ledger.leave(bench.worker, [Pool(Lane.ASYNC)])
    sweeps = f"{bench.ledger.settings.key_prefix}sweeps"
    bench.ledger.client.hset(sweeps, "at", int(bench.ledger.now() * 1000) - 60_000)

    elect_again(bench)
    reaper.tick()

    assert bench.state() == "running"


def restarted(settings: Settings, lease: float, away: float = 3600.0) -> str:
    """Tell what becomes of a dead worker's call when the server seems to have been restarted.

    Args:
        settings: Of its system.
        lease: Seconds that a lease lasts.
        away: Seconds since the last sweep.
    """
    bench = Bench.on(replace(settings, keeping=Keeping(lease=lease)))
    reaper = Reaper(bench.ledger, Bell(bench.ledger.settings), bench.signer)
    reaper.tick()
    bench.claim(bench.submit().rings)
    bench.ledger.leave(bench.worker, [Pool(Lane.ASYNC)])
    last: Any = {"run_id": "another", "at": int((bench.ledger.now() - away) * 1000)}
    bench.ledger.client.hset(f"{settings.key_prefix}sweeps", mapping=last)
    elect_again(bench)
    reaper.tick()
    return bench.state()


def test_nothing_expires_right_after_the_server_restarted(settings: Settings) -> None:
    """Another run of the server is told by its run id; it has been up for less than a lease."""
    assert restarted(settings, lease=3600.0) == "running"


def test_what_a_restarted_server_has_waited_for_already_counts(
    settings: Settings, client: redis.Redis
) -> None:
    """It has been up for a lease: whoever has not renewed by now is gone."""

    def is_up_long_enough() -> bool:
        """Ask the server itself."""
        uptime: Any = client.info("server")["uptime_in_seconds"]
        return int(uptime) >= 1

    wait_until(is_up_long_enough, "the server has been up for a lease")

    assert restarted(settings, lease=1.0) == "retrying"


def test_a_replica_that_took_over_has_waited_for_nobody(
    settings: Settings, client: redis.Redis
) -> None:
    """It has been up for long, but nobody could renew there before."""

    def is_up_long_enough() -> bool:
        """Ask the server itself."""
        uptime: Any = client.info("server")["uptime_in_seconds"]
        return int(uptime) >= 1

    wait_until(is_up_long_enough, "the server has been up for a lease")

    assert restarted(settings, lease=1.0, away=0.5) == "running"


def make_overdue(bench: Bench) -> None:
    """Let the call's timer be up, as if its time had passed."""
    bench.ledger.client.zadd(f"{bench.ledger.settings.key_prefix}timers", {"t:0": 1})


def test_a_running_call_past_its_limit_is_timed_out(bench: Bench, reaper: Reaper) -> None:
    """Whoever should have stopped it did not: the ledger's timer does."""
    bench.claim(bench.submit().rings)
    make_overdue(bench)

    reaper.tick()

    assert result_of(bench).outcome is Outcome.TIMED_OUT
    assert result_of(bench).effect is Effect.NONE


def test_a_call_that_no_worker_could_start_says_so(bench: Bench, reaper: Reaper) -> None:
    """When the deadline passes without a worker, the result names the lane."""
    bench.submit(effect_class=EffectClass.WRITE, repeatable=False)
    make_overdue(bench)

    reaper.tick()

    result = result_of(bench)
    assert result.error is not None
    assert result.error.code == ErrorCode.NO_WORKER
    assert "async lane" in result.error.message
    assert (result.outcome, result.effect, result.attempts) == (Outcome.TIMED_OUT, Effect.NONE, 0)


@pytest.mark.parametrize(
    ("placement", "waited_for"),
    [
        (Placement(resource="file:a", writes=True), "it waited for call other:0"),
        (
            Placement(concurrency=Concurrency(1, "account:7")),
            "no more than 1 calls for account:7 may run at once",
        ),
    ],
)
def test_a_call_that_had_to_wait_until_its_deadline_says_for_whom(
    bench: Bench, reaper: Reaper, placement: Placement, waited_for: str
) -> None:
    """Whether another call was in its way or a limit, workers or not."""
    bench.claim(bench.submit("other", placement=placement).rings)
    bench.claim(bench.submit(placement=placement).rings)
    make_overdue(bench)

    reaper.tick()

    result = result_of(bench)
    assert result.error is not None
    assert waited_for in result.error.message
    assert (result.outcome, result.effect, result.attempts) == (Outcome.TIMED_OUT, Effect.NONE, 0)


def test_a_call_that_waited_too_long_among_live_workers_passed_its_deadline(
    bench: Bench, reaper: Reaper
) -> None:
    """With a live worker the reason is the deadline."""
    bench.ledger.beat("busy", [Pool(Lane.ASYNC)], 1)
    bench.submit()
    make_overdue(bench)

    reaper.tick()

    error = result_of(bench).error
    assert error is not None
    assert error.code == ErrorCode.DEADLINE


def test_a_record_that_was_tampered_with_ends_untrusted(bench: Bench, reaper: Reaper) -> None:
    """The reaper believes no unsigned record either, and the turn still gets its result."""
    bench.submit()
    call = f"{bench.ledger.settings.key_prefix}call:t:0"
    bench.ledger.client.hset(call, "spec", make_spec(name="drop_table").to_bytes())
    make_overdue(bench)

    reaper.tick()

    error = result_of(bench).error
    assert error is not None
    assert error.code == ErrorCode.UNTRUSTED


def test_a_reaper_with_another_secret_believes_nothing(bench: Bench, bell: Bell) -> None:
    """A process with the wrong secret cannot judge a call by its own rules."""
    bench.submit()
    make_overdue(bench)

    Reaper(bench.ledger, bell, Signer(b"another secret of 32 bytes length")).tick()

    error = result_of(bench).error
    assert error is not None
    assert error.code == ErrorCode.UNTRUSTED


def age_marks(client: redis.Redis, prefix: str) -> None:
    """Let what the sweeps saw have been seen 10 s earlier."""
    for lane in Lane:
        key = f"{prefix}marks:{Route(Pool(lane))}"
        for position, mark in enumerate(client.lrange(key, 0, -1)):
            when, number = str(mark).split()
            client.lset(key, position, f"{int(when) - 10_000} {number}")


def test_a_notice_that_was_lost_is_rung_again(
    bench: Bench, reaper: Reaper, bell: Bell, client: redis.Redis
) -> None:
    """A notice that left the queue unclaimed 6 s ago is lost: the call gets another."""
    first = bench.submit().rings
    elect_again(bench)
    reaper.tick()
    assert bell.depth(Route(Pool(Lane.ASYNC))) == 0

    age_marks(client, bench.ledger.settings.key_prefix)
    elect_again(bench)
    reaper.tick()

    assert bell.depth(Route(Pool(Lane.ASYNC))) == 1
    assert bench.claim(first) == []


def test_notices_that_wait_in_the_queue_are_not_rung_again(
    bench: Bench, reaper: Reaper, bell: Bell, client: redis.Redis
) -> None:
    """However long the queue is and however slow the workers, waiting is not being lost."""
    for ring in bench.submit(count=4).rings:
        bell.ring([ring])

    for _ in range(3):
        elect_again(bench)
        reaper.tick()
        age_marks(client, bench.ledger.settings.key_prefix)

    assert bell.depth(Route(Pool(Lane.ASYNC))) == 4


def test_only_one_of_many_reapers_sweeps_a_round(bench: Bench) -> None:
    """Election is by the server: any number of processes may ask."""
    elected = [bench.ledger.due(60).elected for _ in range(5)]

    assert elected.count(True) <= 1


def test_a_suspect_is_given_to_one_judge_at_a_time(bench: Bench) -> None:
    """Two reapers that look at once do not judge the same call."""
    bench.submit()
    make_overdue(bench)

    assert len(bench.ledger.due(60).suspects) == 1
    assert bench.ledger.due(60).suspects == []


def test_a_retry_whose_deadline_has_passed_is_ended(bench: Bench) -> None:
    """A retry is never started after its deadline."""
    bench.submit()
    client, prefix = bench.ledger.client, bench.ledger.settings.key_prefix
    client.hset(f"{prefix}call:t:0", mapping={"state": CallState.RETRYING.value, "deadline": 1})
    make_overdue(bench)

    reply = bench.ledger.due(60)

    assert [suspect.state for suspect in reply.suspects] == [CallState.RETRYING]
    assert reply.rings == []
