"""Purging: nothing of a tenant or a conversation stays, wherever it lay."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import redis

from tests.ledger.samples import Bench, Placement, make_spec
from toolferry import (
    CallError,
    CallState,
    Context,
    Effect,
    ErrorCode,
    Outcome,
    Rate,
    RetryPolicy,
    ToolResult,
)
from toolferry_ledger import (
    Account,
    Bell,
    Canceller,
    Charge,
    Charges,
    Claim,
    Conversation,
    DeadLetters,
    Purger,
    Repeats,
    Settlement,
    Tenant,
    write_json,
)
from toolferry_policies import AttemptEnd

#: What is searched for in the whole server afterwards.
MARK = "mark-7d1f"
CRASHED = AttemptEnd(
    outcome=Outcome.FAILED,
    error=CallError.of(ErrorCode.EXECUTION_FAILED, f"It failed for {MARK}."),
)
DONE = AttemptEnd(outcome=Outcome.SUCCEEDED, content=f"seen {MARK}")


@pytest.fixture
def purger(bench: Bench) -> Purger:
    """Give what erases data of a system."""
    bell = Bell(bench.ledger.settings)
    return Purger(bench.ledger, Canceller(bench.ledger, bell, bench.signer))


def submit(bench: Bench, turn_id: str, count: int = 1, **placed: Any) -> list[Claim]:
    """Write a turn of the marked tenant and conversation and claim its first calls."""
    context = Context(tenant=f"t-{MARK}")
    calls = [
        bench.submission(
            make_spec(
                turn_id,
                index,
                arguments={"path": MARK},
                context=context,
                conversation_id=f"c-{MARK}",
                retry=RetryPolicy(max_attempts=1),
            ),
            tenant=context.tenant,
            **placed,
        )
        for index in range(count)
    ]
    meta = write_json(
        {"tenant": context.tenant, "conversation_id": f"c-{MARK}", "message": {"text": MARK}}
    )
    charges = charges_of(context.tenant, f"c-{MARK}")
    reply = bench.ledger.submit(turn_id, meta, "digest", bench.inbox, calls, charges)
    assert reply is not None
    return bench.claim(reply.rings[:1])


def charges_of(tenant: str, conversation: str) -> bytes:
    """Count a call against a conversation's budget, and its repeats."""
    whose = f"{len(tenant)}:{tenant}:{conversation}"
    nothing = ToolResult(call_id="", name="", outcome=Outcome.DENIED, effect=Effect.NONE)
    account = Account(
        name=f"conversation:0:{whose}",
        kept=60,
        lasting=True,
        limits={"calls": 100},
        refusals={"calls": nothing},
    )
    repeats = Repeats(name=whose, kept=60, tell_at=50, deny_at=None, told=("", ""), refusal=nothing)
    charge = Charge(call_id="c", name="read_file", cost=1, seconds=1, fingerprint="same")
    return Charges(accounts=(account,), repeats=repeats, calls={0: charge}).to_bytes()


def fill(bench: Bench) -> None:
    """Leave traces of every kind: ended, dead, replayed, open, late, told of."""
    (claim,) = submit(bench, "good")
    bench.ledger.progress(claim.call_key, claim.fence, 0.5, MARK)
    kept = Settlement(claim.call_key, claim.fence, CallState.RUNNING, MARK.encode())
    bench.ledger.settle([kept], bench.worker)
    bench.finish(claim, DONE)
    (claim,) = submit(bench, "dead")
    bench.finish(claim, CRASHED)
    letters = DeadLetters(bench.ledger, bench.signer, Bell(bench.ledger.settings))
    letters.replay([claim.call_key])
    submit(bench, "late")
    bench.ledger.answer("late", {0: MARK.encode()})
    bench.finish(submit(bench, "other")[0], DONE)
    submit(bench, "open", count=9)


def traces(client: redis.Redis, prefix: str) -> list[str]:
    """List the keys that still have the mark in their name or in what they hold."""
    readers: dict[str, Callable[[str], Any]] = {
        "string": client.get,
        "hash": client.hgetall,
        "list": lambda key: client.lrange(key, 0, -1),
        "set": client.smembers,
        "zset": lambda key: client.zrange(key, 0, -1),
        "stream": client.xrange,
    }
    keys = list(client.scan_iter(match=f"{prefix}*", count=1000))
    return [
        key
        for key in keys
        if MARK in key or MARK in json.dumps(readers[str(client.type(key))](key), default=sorted)
    ]


@pytest.mark.parametrize("whose", [Tenant(f"t-{MARK}"), Conversation(f"c-{MARK}")])
def test_nothing_of_it_stays(
    bench: Bench, purger: Purger, client: redis.Redis, whose: Tenant | Conversation
) -> None:
    """In no key and no value; once what ran has ended."""
    fill(bench)
    prefix = bench.ledger.settings.key_prefix
    before = traces(client, prefix)

    first = purger.purge(whose)
    still = [bench.ledger.inspect_call(key) for key in ("late:0", "open:0")]
    for suspect in still:
        assert suspect is not None
        ended = Settlement(suspect.call_key, suspect.fence, CallState.SUCCEEDED, MARK.encode())
        bench.ledger.settle([ended], bench.worker)
    second = purger.purge(whose)

    assert (first.running, first.is_complete) == (2, False)
    assert first.cancelled == 9
    assert len(before) > 12
    assert (second.running, second.is_complete) == (0, True)
    assert traces(client, prefix) == []


def test_when_its_calls_started_is_forgotten(
    bench: Bench, purger: Purger, client: redis.Redis
) -> None:
    """The rate's name may tell of them; the starts of others stay, and what waited is forgotten."""
    prefix = bench.ledger.settings.key_prefix
    own = Placement(rate=Rate(1, 3600, f"mail:{MARK}"))
    shared = Placement(rate=Rate(5, 3600, "mail"))
    (claim,) = submit(bench, "own call", count=1, placement=own)
    submit(bench, "waits", placement=own)
    bench.finish(claim, DONE)
    bench.finish(submit(bench, "with others", placement=shared)[0], DONE)
    bench.claim(bench.submit("theirs", placement=shared).rings)
    waited = client.zcard(f"{prefix}paces")

    purger.purge(Tenant(f"t-{MARK}"))

    assert waited == 1
    assert traces(client, prefix) == []
    assert client.zcard(f"{prefix}started:5/3600000:mail") == 1
    assert client.exists(f"{prefix}paces") == 0


def test_what_is_not_meant_stays(bench: Bench, purger: Purger, client: redis.Redis) -> None:
    """Another tenant's calls, their letters and their events."""
    bench.submit("theirs", tenant="b")
    (claim,) = bench.claim(
        bench.submit("lost", tenant="b", retry=RetryPolicy(max_attempts=1)).rings
    )
    bench.finish(claim, CRASHED)
    fill(bench)

    purger.purge(Tenant(f"t-{MARK}"))

    prefix = bench.ledger.settings.key_prefix
    assert bench.state("theirs:0") == "queued"
    assert client.zrange(f"{prefix}dead", 0, -1) == ["lost:0"]
    assert client.xlen(f"{prefix}events") == 1
    assert client.llen(f"{prefix}history:lost:0") == 1


def test_a_purge_is_made_again_without_harm(bench: Bench, purger: Purger) -> None:
    """There is nothing left to do."""
    bench.finish(submit(bench, "good")[0])
    first = purger.purge(Tenant(f"t-{MARK}"))

    again = purger.purge(Tenant(f"t-{MARK}"))

    assert (first.turns, first.calls) == (1, 1)
    assert (again.turns, again.calls, again.cancelled) == (0, 0, 0)


def test_a_purged_call_that_held_its_place_lets_nobody_pass(
    bench: Bench, purger: Purger, client: redis.Redis
) -> None:
    """Its data is gone at once, its record when those before it have ended."""
    shared = Placement(resource="file:a", writes=True)
    (first,) = bench.claim(bench.submit("first", placement=shared).rings)
    submit(bench, "second", placement=shared)
    bench.submit("third", placement=shared)

    purged = purger.purge(Tenant(f"t-{MARK}"))
    waits = bench.state("third:0")
    bench.finish(first)
    goes_on = bench.state("third:0")
    purger.purge(Tenant(f"t-{MARK}"))

    prefix = bench.ledger.settings.key_prefix
    assert (purged.held, waits, goes_on) == (1, "waiting", "queued")
    assert traces(client, prefix) == []
    assert client.exists(f"{prefix}call:second:0") == 0


def test_a_purged_call_whose_handler_still_runs_gives_its_place_back(
    bench: Bench, purger: Purger, client: redis.Redis
) -> None:
    """When the handler ends; its late word is not kept."""
    (claim,) = submit(bench, "stuck", placement=Placement(resource="file:a", writes=True))
    over = bench.conclude(claim, CRASHED)
    bench.ledger.settle([replace(over, holding=True)], bench.worker)
    purger.purge(Tenant(f"t-{MARK}"))
    late = Settlement(claim.call_key, claim.fence, CallState.FAILED, late=True, note=MARK.encode())

    bench.ledger.settle([late], bench.worker)

    prefix = bench.ledger.settings.key_prefix
    assert traces(client, prefix) == []
    assert client.exists(f"{prefix}writer:file:a", f"{prefix}holding:{bench.worker}") == 0


def test_a_turn_whose_calls_were_all_refused_is_purged(
    bench: Bench, purger: Purger, client: redis.Redis
) -> None:
    """It has no calls, and what the model said."""
    meta = write_json({"tenant": f"t-{MARK}", "message": MARK})
    assert bench.ledger.submit("refused", meta, "d", bench.inbox, []) is not None

    purged = purger.purge(Tenant(f"t-{MARK}"))

    assert purged.turns == 1
    assert traces(client, bench.ledger.settings.key_prefix) == []


def test_many_calls_are_purged(bench: Bench, purger: Purger, client: redis.Redis) -> None:
    """More than are looked at together."""
    submit(bench, "many", count=1200)

    purged = purger.purge(Conversation(f"c-{MARK}"))

    assert (purged.cancelled, purged.running) == (1199, 1)
    assert client.llen(f"{bench.ledger.settings.key_prefix}tenants:default.async.normal") == 0


@pytest.mark.parametrize("kind", [Tenant, Conversation])
def test_nobody_purges_what_has_no_name(kind: type[Tenant | Conversation]) -> None:
    """An empty conversation would be every call of none."""
    with pytest.raises(ValueError, match="empty name"):
        kind("")


@pytest.mark.parametrize("whose", [Tenant(f"t-{MARK}"), Conversation(f"c-{MARK}")])
def test_a_purge_that_was_interrupted_finds_its_work_again(
    bench: Bench, purger: Purger, client: redis.Redis, whose: Tenant | Conversation
) -> None:
    """Some calls were gone, their turns and what speaks of them were not."""
    for name in ("one", "two"):
        bench.finish(submit(bench, name)[0], DONE)
    assert bench.ledger.erase(["one:0"]) == ["gone"]

    purger.purge(whose)

    assert traces(client, bench.ledger.settings.key_prefix) == []


def test_a_turn_that_an_older_release_wrote_is_purged_too(
    bench: Bench, purger: Purger, client: redis.Redis
) -> None:
    """It did not say whose it was; its calls do."""
    (claim,) = bench.claim(bench.submit("old", tenant=f"t-{MARK}", arguments={"path": MARK}).rings)
    bench.finish(claim, DONE)

    purged = purger.purge(Tenant(f"t-{MARK}"))

    assert (purged.turns, purged.calls) == (1, 1)
    assert traces(client, bench.ledger.settings.key_prefix) == []
