"""The transitions of calls, each by its script on a real server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import redis

from tests.ledger.samples import SUCCESS, Bench, make_spec
from toolferry import CallError, CallState, Effect, ErrorCode, Outcome
from toolferry_ledger import KEPT, Settlement, read_result, result_text
from toolferry_ledger.replies import read_claims
from toolferry_policies import AttemptEnd

FAILED = AttemptEnd(
    outcome=Outcome.FAILED, error=CallError.of(ErrorCode.EXECUTION_FAILED, "It broke.")
)


def test_a_submitted_call_is_queued_and_rung(bench: Bench) -> None:
    """A call that waits for nothing gets a notice at once."""
    reply = bench.submit()

    assert [ring.call_key for ring in reply.rings] == ["t:0"]
    assert bench.state() == "queued"


def test_a_call_is_claimed_once(bench: Bench) -> None:
    """A notice that arrives twice starts one attempt."""
    rings = bench.submit().rings

    first = bench.claim(rings)
    second = bench.claim(rings, worker="worker-2")

    assert [claim.attempt for claim in first] == [1]
    assert second == []


def test_the_same_claim_sent_again_gets_the_same_answer(bench: Bench) -> None:
    """A claim whose answer was lost on the way is answered again, not refused."""
    ring = bench.submit().rings[0]
    arguments: list[str | bytes | int] = [bench.worker, "claim-1", 1, "t:0", ring.fence]

    first = bench.ledger._run("claim", arguments)  # noqa: SLF001 -- a repeated answer has no public way
    second = bench.ledger._run("claim", arguments)  # noqa: SLF001 -- as above

    assert len(first[0]) == 1
    assert read_claims(second).claims == read_claims(first).claims


def test_a_notice_with_another_fence_claims_nothing(bench: Bench) -> None:
    """Only the newest notice of a call is worth anything."""
    bench.submit()

    assert bench.ledger.claim("w", [("t:0", 99)]).claims == []


def test_the_first_outcome_wins(bench: Bench) -> None:
    """A second outcome under the same fence is refused and changes nothing."""
    claim = bench.claim(bench.submit().rings)[0]

    assert bench.finish(claim)
    assert not bench.finish(claim, FAILED)
    assert read_result(bench.ledger.results("t", [0])[0]).outcome is Outcome.SUCCEEDED


def test_a_late_owner_is_refused(bench: Bench) -> None:
    """After a call was given to another attempt, the first attempt can write nothing."""
    late = bench.claim(bench.submit().rings)[0]
    given_back = bench.ledger.settle([Settlement("t:0", late.fence, CallState.QUEUED)])
    current = bench.claim(given_back.rings, worker="worker-2")[0]

    assert not bench.finish(late)
    assert bench.state() == "running"
    assert bench.finish(current)


def test_a_failed_attempt_waits_for_its_retry(bench: Bench) -> None:
    """A failure with attempts left makes the call retrying, then due, then queued."""
    claim = bench.claim(bench.submit().rings)[0]

    assert bench.finish(claim, FAILED)
    assert bench.state() == "retrying"

    reply = bench.ledger.due(60)
    while not reply.rings:
        reply = bench.ledger.due(60)

    assert bench.state() == "queued"
    assert bench.claim(reply.rings)[0].attempt == 2


def test_the_last_attempt_ends_the_call(bench: Bench) -> None:
    """When no attempt is left, the failure is the result."""
    rings = bench.submit().rings
    for attempt in (1, 2, 3):
        claim = bench.claim(rings)[0]
        assert claim.attempt == attempt
        bench.finish(claim, FAILED)
        rings = []
        while attempt < 3 and not rings:
            rings = bench.ledger.due(60).rings

    result = read_result(bench.ledger.results("t", [0])[0])

    assert (result.outcome, result.attempts, result.effect) == (Outcome.FAILED, 3, Effect.NONE)


def test_a_call_that_was_refused_has_its_result_at_once(bench: Bench) -> None:
    """A refusal is written with its turn; nothing is rung for it."""
    refused = bench.submission(make_spec())
    result = result_text(
        read_result(b'{"call_id":"c0","name":"x","outcome":"denied","effect":"none"}')
    )
    object.__setattr__(refused, "result", result)
    object.__setattr__(refused, "outcome", CallState.DENIED)

    reply = bench.ledger.submit("t", b"{}", "digest", "inbox", [refused])

    assert reply is not None
    assert reply.rings == []
    assert read_result(bench.ledger.results("t", [0])[0]).outcome is Outcome.DENIED


def test_a_call_waits_for_its_predecessors(bench: Bench) -> None:
    """A call with predecessors is let go by the end of the last of them."""
    reply = bench.submit(count=3, after=lambda i: (0, 1) if i == 2 else ())
    first, second = bench.claim(reply.rings)

    bench.finish(first)
    assert bench.state("t:2") == "waiting"

    released = bench.ledger.settle([bench.conclude(second)]).rings
    assert [ring.call_key for ring in released] == ["t:2"]


def test_a_failed_predecessor_lets_go_too(bench: Bench) -> None:
    """What waits for a call waits for its end, whatever the end is."""
    reply = bench.submit(count=2, after=lambda i: (0,) if i else ())
    claim = bench.claim(reply.rings)[0]
    lost = AttemptEnd(outcome=Outcome.CANCELLED, error=CallError.of(ErrorCode.CANCELLED, "No."))

    bench.finish(claim, lost)

    assert bench.state("t:1") == "queued"


def test_a_call_that_ends_while_it_waits_lets_nobody_past(bench: Bench) -> None:
    """Its successors still wait for the predecessor that is at work."""
    rings = bench.submit(count=3, after=lambda i: (i - 1,) if i else ()).rings
    (first,) = bench.claim(rings)

    bench.ledger.settle([Settlement("t:1", 0, CallState.TIMED_OUT, b"{}")])

    assert bench.state("t:2") == "waiting"
    bench.finish(first)
    assert bench.state("t:2") == "queued"


def test_the_same_turn_submitted_twice_is_one_turn(bench: Bench) -> None:
    """A repeated submission attaches to the turn that is there."""
    assert bench.submit().created
    assert not bench.submit().created
    assert len(bench.claim(bench.ledger.due(60).rings)) == 0


def test_the_same_turn_id_for_other_calls_is_a_conflict(bench: Bench) -> None:
    """A turn id never stands for two sets of calls."""
    bench.submit()

    assert bench.ledger.submit("t", b"{}", "other", "inbox", []) is None


def test_only_a_window_of_notices_is_out(bench: Bench) -> None:
    """Without a worker four notices are out; when two are claimed the next two go."""
    first, second, *_ = bench.submit(count=10).rings

    one_free = bench.ledger.claim("w", [(first.call_key, first.fence)])
    two_free = bench.ledger.claim("w", [(second.call_key, second.fence)])

    assert one_free.rings == []
    assert [ring.call_key for ring in two_free.rings] == ["t:4", "t:5"]


@pytest.mark.parametrize(("slots", "out"), [(1, 4), (2, 4), (3, 6), (8, 16)])
def test_live_slots_widen_the_window(bench: Bench, slots: int, out: int) -> None:
    """Twice as many notices are out as calls can run at once, so that no slot waits; at least 4."""
    bench.ledger.beat("w", [make_spec().pool], slots)

    assert len(bench.submit(count=20).rings) == out


def test_tenants_take_turns(bench: Bench) -> None:
    """A tenant with many calls does not keep another one waiting behind all of them."""
    flood = bench.submit("flood", count=50, tenant="big")
    bench.submit("small", count=2, tenant="small")
    released = []
    queue = list(flood.rings)
    while queue:
        ring = queue.pop(0)
        reply = bench.ledger.claim("w", [(ring.call_key, ring.fence)])
        queue += reply.rings
        released += [r.call_key for r in reply.rings]

    assert max(released.index("small:0"), released.index("small:1")) < 6


def test_every_end_is_told_to_every_inbox(bench: Bench) -> None:
    """A process that attached hears of an end as well as the one that dispatched."""
    claim = bench.claim(bench.submit().rings)[0]
    record = bench.ledger.attach("t", "second")
    assert record is not None
    assert record.open == 1

    bench.finish(claim)

    assert list(bench.ledger.read_inbox("inbox", "0", 0.1)[1]) == ["t:0"]
    assert list(bench.ledger.read_inbox("second", "0", 0.1)[1]) == ["t:0"]


def test_reading_an_inbox_goes_on_where_it_stopped(bench: Bench) -> None:
    """No end is told twice to a reader that keeps its position."""
    first, second = bench.claim(bench.submit(count=2).rings)
    bench.finish(first)
    position, _ = bench.ledger.read_inbox("inbox", "0", 0.1)
    bench.finish(second)

    assert list(bench.ledger.read_inbox("inbox", position, 0.1)[1]) == ["t:1"]


def test_a_short_result_comes_with_the_news_of_its_end(bench: Bench) -> None:
    """A reader of the inbox needs no second round trip for it; a long one is read from the turn."""
    short, long = bench.claim(bench.submit(count=2).rings)
    bench.finish(short)
    bench.finish(long, replace(SUCCESS, content="x" * 5000))

    ends = bench.ledger.read_inbox("inbox", "0", 0.1)[1]

    text = ends["t:0"]
    assert text is not None
    assert read_result(text).content == "done"
    assert ends["t:1"] is None
    assert read_result(bench.ledger.results("t", [1])[1]).content == "x" * 5000


def test_progress_is_kept_only_for_the_current_attempt(bench: Bench, client: redis.Redis) -> None:
    """A late owner's progress is passed over."""
    claim = bench.claim(bench.submit().rings)[0]
    bench.ledger.progress("t:0", claim.fence, 0.5, "half way")
    bench.ledger.progress("t:0", claim.fence + 1, 0.9, "late")

    report = client.hget(f"{bench.ledger.settings.key_prefix}call:t:0", "progress")

    assert report == '{"schema_version": 1, "fraction": 0.5, "message": "half way"}'


def test_a_finished_turn_leaves_no_key_for_ever(
    bench: Bench,
    client: redis.Redis,
    keys_without_ttl: Callable[[redis.Redis, str], set[str]],
) -> None:
    """Everything that a turn leaves behind ends by itself, but for counters and names."""
    rings = bench.submit(count=6, after=lambda i: (0,) if i == 5 else ()).rings
    while rings:
        reply = bench.ledger.claim("w", [(r.call_key, r.fence) for r in rings])
        rings = reply.rings
        rings += bench.ledger.settle([bench.conclude(claim) for claim in reply.claims]).rings
    bench.ledger.beat("w", [make_spec().pool], 1)
    bench.ledger.leave("w", [make_spec().pool])

    left = keys_without_ttl(client, bench.ledger.settings.key_prefix)

    assert {key for key in left if not KEPT.match(key)} == set()


def scripts_run(client: redis.Redis, prefix: str, work: Callable[[], None]) -> int:
    """Count the scripts that some work has the server run for a namespace; others run their own."""
    count = 0
    with client.monitor() as monitor:  # type: ignore[no-untyped-call]  # redis-py types it nowhere
        work()
        client.echo(prefix)
        while (command := monitor.next_command()["command"]) != f"ECHO {prefix}":
            count += command.startswith("EVALSHA") and prefix in command
    return count


@pytest.mark.parametrize("count", [1, 300])
def test_submitting_claiming_and_settling_cost_one_command_each(
    bench: Bench, client: redis.Redis, count: int
) -> None:
    """Submitting, claiming and settling are one round trip each, however many calls there are."""
    bench.finish(bench.claim(bench.submit("warm").rings)[0])  # loads the scripts

    def work() -> None:
        rings = bench.submit(count=count).rings
        claims = bench.claim(rings)
        bench.ledger.settle([bench.conclude(claim) for claim in claims])

    assert scripts_run(client, bench.ledger.settings.key_prefix, work) == 3


def test_any_number_of_ends_can_be_told_at_once(bench: Bench) -> None:
    """A write with thousands of ends reaches the inbox whole."""
    bench.ledger.beat(bench.worker, [make_spec().pool], 2000)
    claims = bench.claim(bench.submit(count=3000).rings)

    reply = bench.ledger.settle([bench.conclude(claim) for claim in claims])

    assert all(reply.accepted)
    assert len(bench.ledger.read_inbox("inbox", "0", 0.1)[1]) == 3000


def test_a_queued_call_that_was_cancelled_never_starts(bench: Bench) -> None:
    """Its notice is out, and claims nothing any more."""
    ring = bench.submit().rings[0]
    cancelled = result_text(
        read_result(b'{"call_id":"c0","name":"x","outcome":"cancelled","effect":"none"}')
    )

    reply = bench.ledger.settle([Settlement("t:0", ring.fence, CallState.CANCELLED, cancelled)])

    assert reply.accepted == [True]
    assert bench.claim([ring]) == []
    assert read_result(bench.ledger.results("t", [0])[0]).outcome is Outcome.CANCELLED
