"""Grants: only what people have approved, as they saw it, is run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import pytest

from tests.ledger.samples import Bench, make_spec
from tests.waiting import wait_until
from toolferry import Approval, CallError, Context, Effect, ErrorCode, Outcome
from toolferry_ledger import (
    Approvals,
    Bell,
    Claim,
    DeadLetters,
    Decision,
    DecisionRefused,
    Reaper,
    Untrusted,
    open_spec,
    read_result,
)
from toolferry_policies import Approver, AttemptEnd

WHY = "The tool read_file asks a person before each call."
ANN = Approver("ann", verified=True)
BOB = Approver("bob", verified=True)
BROKEN = AttemptEnd(
    outcome=Outcome.FAILED, error=CallError.of(ErrorCode.EXECUTION_FAILED, "It broke.")
)


@pytest.fixture
def approvals(bench: Bench) -> Iterator[Approvals]:
    """Give the approvals of the bench's system."""
    with closing(Bell(bench.ledger.settings)) as bell:
        yield Approvals(bench.ledger, bell, bench.signer)


def take(bench: Bench, key: str = "t:0") -> Claim:
    """Claim a call under the newest notice of it."""
    suspect = bench.ledger.inspect_call(key)
    assert suspect is not None
    (claim,) = bench.ledger.claim(bench.worker, [(key, suspect.fence)]).claims
    return claim


def record(bench: Bench, key: str = "t:0") -> str:
    """Name the record of a call in the server."""
    return f"{bench.ledger.settings.key_prefix}call:{key}"


def test_an_approved_call_is_believed(bench: Bench, approvals: Approvals) -> None:
    """At its first attempt, and at the one that follows a failure."""
    bench.submit(approval=WHY)
    approvals.approve("t:0", ANN)

    first = take(bench)
    bench.finish(first, BROKEN)
    wait_until(lambda: bench.ledger.due(60.0).rings, "the retry")
    second = take(bench)

    assert (first.attempt, second.attempt) == (1, 2)
    assert [open_spec(bench.signer, one).approval for one in (first, second)] == [WHY, WHY]


def test_a_grant_is_for_one_call_and_not_for_its_replays(
    bench: Bench, approvals: Approvals
) -> None:
    """A replay asks a person again; the grant of the first call does nothing for it."""
    bench.submit(approval=WHY)
    approvals.approve("t:0", ANN)
    bench.finish(take(bench))
    with closing(Bell(bench.ledger.settings)) as bell:
        [replayed] = DeadLetters(bench.ledger, bench.signer, bell).retry(["t:0"])
    before = bench.state(replayed.replay)

    bench.ledger.client.hset(record(bench, replayed.replay), "grants", kept(bench, "t:0"))
    put_in_line(bench, replayed.replay)

    assert before == "awaiting_approval"
    with pytest.raises(Untrusted, match="0 of the 1 people"):
        open_spec(bench.signer, take(bench, replayed.replay))


def test_a_grant_is_not_for_a_turn_of_the_same_name(bench: Bench, approvals: Approvals) -> None:
    """One that is written when the first is gone has the same keys, and asks anew."""
    bench.submit(approval=WHY, issued_at=1.0)
    approvals.approve("t:0", ANN)
    grants = kept(bench, "t:0")
    bench.finish(take(bench))
    bench.ledger.erase(["t:0"])
    bench.ledger.client.delete(f"{bench.ledger.settings.key_prefix}turn:t")

    bench.submit(approval=WHY, issued_at=2.0)
    bench.ledger.client.hset(record(bench), "grants", grants)
    put_in_line(bench)

    with pytest.raises(Untrusted, match="0 of the 1 people"):
        open_spec(bench.signer, take(bench))


def test_a_call_that_has_ended_is_not_run_again_under_its_grant(
    bench: Bench, approvals: Approvals
) -> None:
    """A notice of it that somebody sends again finds nothing to claim."""
    bench.submit(approval=WHY)
    approvals.approve("t:0", ANN)
    claim = take(bench)
    bench.finish(claim)

    again = bench.ledger.claim("other", [("t:0", claim.fence)])

    assert again.claims == []


def put_in_line(bench: Bench, key: str = "t:0") -> None:
    """Put a call in line as who can write to the server may do."""
    client, prefix = bench.ledger.client, bench.ledger.settings.key_prefix
    client.hset(record(bench, key), mapping={"state": "queued", "fence": 1})
    client.zrem(f"{prefix}state:awaiting_approval", key)


def test_a_call_that_was_put_in_line_by_hand_is_not_believed(bench: Bench) -> None:
    """The worker says what is missing."""
    bench.submit(approval=WHY)
    put_in_line(bench)

    with pytest.raises(Untrusted, match="call t:0: 0 of the 1 people who have to approve it have"):
        open_spec(bench.signer, take(bench))


def from_another(bench: Bench, approvals: Approvals) -> bytes:
    """Take the grant of another call."""
    bench.submit("u", approval=WHY)
    approvals.approve("u:0", ANN)
    return kept(bench, "u:0")


def invented(_bench: Bench, _approvals: Approvals) -> bytes:
    """Write what looks like grants."""
    return b"0" * 64 + b' {"call":"t:0"}\n\xff\xfe\n\n' + b"x" * 1000


def kept(bench: Bench, key: str) -> bytes:
    """Read the grants of a call."""
    grants = bench.ledger.client.hget(record(bench, key), "grants")
    assert isinstance(grants, bytes)
    return grants


@pytest.mark.parametrize("forge", [from_another, invented])
def test_a_grant_of_something_else_counts_for_nothing(
    bench: Bench, approvals: Approvals, forge: Callable[[Bench, Approvals], bytes]
) -> None:
    """Of another call, or of nothing."""
    grants = forge(bench, approvals)
    bench.submit(approval=WHY)
    bench.ledger.client.hset(record(bench), "grants", grants)
    put_in_line(bench)

    with pytest.raises(Untrusted, match="0 of the 1 people"):
        open_spec(bench.signer, take(bench))


def test_a_grant_is_for_the_record_that_was_seen(bench: Bench, approvals: Approvals) -> None:
    """Another genuine record of the same call has none."""
    bench.submit(approval=WHY)
    approvals.approve("t:0", ANN)
    other = make_spec(approval=WHY, arguments={"path": "b.txt"}).to_bytes()

    claim = replace(take(bench), spec=other, signature=bench.signer.sign(other))

    with pytest.raises(Untrusted, match="0 of the 1 people"):
        open_spec(bench.signer, claim)


def test_a_call_goes_on_when_enough_people_have_approved_it(
    bench: Bench, approvals: Approvals
) -> None:
    """Different ones, with one of the roles, and none for whom it was made."""
    terms = Approval(needed=2, roles=frozenset({"lead"}))
    bench.submit(approval=WHY, terms=terms, context=Context(principal="eve"))
    lead = frozenset({"lead"})
    ann, bob, eve = (Approver(name, lead, verified=True) for name in ("ann", "bob", "eve"))

    first = approvals.approve("t:0", ann)
    for who, why in (
        (ann, "ann has approved it already"),
        (eve, "nobody approves a call of their own"),
        (replace(bob, verified=False), "it takes a person's token"),
        (replace(bob, roles=frozenset({"intern"})), "only people with the role lead decide"),
    ):
        with pytest.raises(DecisionRefused, match=why):
            approvals.approve("t:0", who)
    [pending] = approvals.pending()
    second = approvals.approve("t:0", bob)

    assert (first.wants, pending.approved_by, second.wants) == (1, ("ann",), 0)
    assert str(first).endswith("; 1 more have to approve it")
    assert open_spec(bench.signer, take(bench)).terms == terms


def test_one_of_those_who_may_decide_is_enough_to_deny(bench: Bench, approvals: Approvals) -> None:
    """Also for a call of their own; others may not."""
    terms = Approval(needed=2, roles=frozenset({"lead"}))
    bench.submit(approval=WHY, terms=terms, context=Context(principal="eve"))

    with pytest.raises(DecisionRefused, match="only people with the role lead"):
        approvals.deny("t:0", ANN)
    approvals.deny("t:0", Approver("eve", frozenset({"lead"}), verified=True))

    assert bench.state() == "denied"


def test_of_many_who_approve_at_once_as_many_count_as_have_to(
    bench: Bench, approvals: Approvals
) -> None:
    """Each once, whoever was faster; the others are told that it is decided."""
    bench.submit(approval=WHY, terms=Approval(needed=3))

    def say_yes(number: int) -> Decision | str:
        try:
            return approvals.approve("t:0", Approver(f"p{number % 5}", verified=True))
        except DecisionRefused as error:
            return error.reason

    with ThreadPoolExecutor(10) as threads:
        told = list(threads.map(say_yes, range(10)))

    taken = [one for one in told if isinstance(one, Decision)]
    assert sorted(one.wants for one in taken) == [0, 1, 2]
    assert len({one.who for one in taken}) == 3
    assert open_spec(bench.signer, take(bench)).terms.needed == 3


def test_a_call_that_nobody_decides_in_time_is_denied(bench: Bench, approvals: Approvals) -> None:
    """Before its deadline, without a worker; from then on nobody can."""
    bench.submit(approval=WHY, terms=Approval(within=0.001))
    wait_until(lambda: approvals.pending() == (), "the end of the time")
    with pytest.raises(DecisionRefused, match="its time has passed"):
        approvals.approve("t:0", ANN)

    Reaper(bench.ledger, Bell(bench.ledger.settings), bench.signer).tick()

    ended = read_result(bench.ledger.results("t", [0])[0])
    assert (ended.outcome, ended.effect, ended.attempts) == (Outcome.DENIED, Effect.NONE, 0)
    assert ended.error is not None
    assert ended.error.message == (
        "Nobody decided about this call of read_file within 0.001 s, so it was not run."
    )


def test_a_call_that_is_approved_in_time_has_until_its_deadline(
    bench: Bench, approvals: Approvals
) -> None:
    """The time for the decision is none for the call."""
    bench.submit(approval=WHY, terms=Approval(within=30.0))
    [pending] = approvals.pending()
    approvals.approve("t:0", ANN)

    timer = bench.ledger.client.zscore(f"{bench.ledger.settings.key_prefix}timers", "t:0")

    assert pending.until - pending.since == pytest.approx(30.0)
    assert timer == pytest.approx((pending.since + 60.0) * 1000)
