"""What is remembered of a call's attempts, and which calls are kept for people."""

from __future__ import annotations

import json
from typing import Any

import redis

from tests.ledger.samples import Bench
from toolferry import CallError, CallState, Effect, EffectClass, ErrorCode, Outcome
from toolferry_ledger import Settlement
from toolferry_policies import AttemptEnd

CRASHED = AttemptEnd(
    outcome=Outcome.FAILED, error=CallError.of(ErrorCode.EXECUTION_FAILED, "It failed.")
)
TOLD = AttemptEnd(
    outcome=Outcome.FAILED,
    error=CallError(
        code="no_such_order", message="Order 17 does not exist.", retryable=False, suggestion=""
    ),
    retryable=False,
)


def history(bench: Bench, client: redis.Redis, key: str = "t:0") -> list[tuple[str, str, Any]]:
    """Read who wrote each line of a call's history, when, and what."""
    lines: Any = client.lrange(f"{bench.ledger.settings.key_prefix}history:{key}", 0, -1)
    parts = [line.split(" ", 2) for line in lines]
    return [(owner, when, json.loads(note)) for owner, when, note in parts]


def dead(bench: Bench, client: redis.Redis) -> list[str]:
    """List the dead letters."""
    found: Any = client.zrange(f"{bench.ledger.settings.key_prefix}dead", 0, -1)
    return list(found)


def run_out(bench: Bench, end: AttemptEnd, **changes: Any) -> None:
    """Run a call until it has ended, each attempt with the same end."""
    rings = bench.submit(**changes).rings
    while claims := bench.claim(rings):
        bench.finish(claims[0], end)
        due = bench.ledger.due(2.0)
        while bench.state() == "retrying":
            due = bench.ledger.due(2.0)
        rings = due.rings


def test_each_attempt_that_did_not_succeed_is_remembered(bench: Bench, client: redis.Redis) -> None:
    """With its worker, its number and its error."""
    run_out(bench, CRASHED)

    lines = history(bench, client)

    assert [(owner, when) for owner, when, _ in lines] == [(bench.worker, "counted")] * 3
    assert [note["attempt"] for _, _, note in lines] == [1, 2, 3]
    assert {note["code"] for _, _, note in lines} == {"execution_failed"}
    assert all(note["ended_at"] >= note["started_at"] > 0 for _, _, note in lines)


def test_a_call_that_succeeds_at_once_has_no_history(bench: Bench, client: redis.Redis) -> None:
    """Its record says all of it, and it costs nothing."""
    run_out(bench, AttemptEnd(outcome=Outcome.SUCCEEDED))

    assert (history(bench, client), dead(bench, client)) == ([], [])


def test_a_call_that_ran_out_of_attempts_is_a_dead_letter(
    bench: Bench, client: redis.Redis
) -> None:
    """It keeps its result and its code."""
    run_out(bench, CRASHED)

    record = client.hgetall(f"{bench.ledger.settings.key_prefix}call:t:0")
    assert dead(bench, client) == ["t:0"]
    assert record["code"] == "execution_failed"
    assert json.loads(record["result"])["attempts"] == 3


def test_what_a_handler_told_of_a_read_is_no_dead_letter(bench: Bench, client: redis.Redis) -> None:
    """It is an answer; nobody has to look at it."""
    run_out(bench, TOLD)

    assert (dead(bench, client), bench.state()) == ([], "failed")


def test_a_write_that_may_have_happened_is_a_dead_letter(bench: Bench, client: redis.Redis) -> None:
    """Whoever told of its failure."""
    run_out(bench, TOLD, effect_class=EffectClass.WRITE, repeatable=False)

    assert dead(bench, client) == ["t:0"]


def test_a_call_that_was_refused_before_its_handler_is_none(
    bench: Bench, client: redis.Redis
) -> None:
    """Nothing has happened, and the model knows what to do."""
    refused = AttemptEnd(
        outcome=Outcome.FAILED,
        error=CallError.of(ErrorCode.TOOL_CHANGED, "It changed."),
        retryable=False,
        effect=Effect.NONE,
    )

    run_out(bench, refused)

    assert dead(bench, client) == []


def test_a_checkpoint_comes_with_the_next_attempt(bench: Bench) -> None:
    """It is fenced as everything is that an attempt writes."""
    (claim,) = bench.claim(bench.submit().rings)
    kept = Settlement(claim.call_key, claim.fence, CallState.RUNNING, b'{"page": 7}')

    accepted = bench.ledger.settle([kept], bench.worker).accepted
    bench.finish(claim, CRASHED)
    while not (rings := bench.ledger.due(2.0).rings):
        pass
    (second,) = bench.claim(rings)
    late = bench.ledger.settle([kept], bench.worker).accepted

    assert (claim.checkpoint, second.checkpoint) == (b"", b'{"page": 7}')
    assert (accepted, late) == ([True], [False])


def test_a_history_lasts_as_long_as_its_call(bench: Bench, client: redis.Redis) -> None:
    """Also of a call that ended between two attempts, of which nothing is written."""
    (claim,) = bench.claim(bench.submit().rings)
    bench.finish(claim, CRASHED)
    bench.ledger.settle([Settlement("t:0", claim.fence, CallState.CANCELLED, b"{}")])

    prefix = bench.ledger.settings.key_prefix
    ends = [client.pexpiretime(f"{prefix}{kind}:t:0") for kind in ("history", "call")]

    assert 0 < ends[0] <= ends[1]
