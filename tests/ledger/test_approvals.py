"""Approvals: a call waits in the ledger for a person, who decides about it once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import redis

from tests.ledger.samples import Bench, Placement, make_spec
from toolferry import Context, Effect, EffectClass, Outcome, ToolResult
from toolferry_ledger import (
    KEPT,
    Approvals,
    Approved,
    Bell,
    CallUnknown,
    Canceller,
    Claim,
    DeadLetters,
    Decision,
    DecisionRefused,
    Ledger,
    Reaper,
    Ring,
    Settings,
    Withdrawal,
    read_result,
)
from toolferry_policies import Approver

ANN = Approver("ann")
WHY = "The tool read_file asks a person before each call."


@pytest.fixture
def approvals(bench: Bench) -> Iterator[Approvals]:
    """Give the approvals of the bench's system."""
    with closing(Bell(bench.ledger.settings)) as bell:
        yield Approvals(bench.ledger, bell, bench.signer)


def result(bench: Bench, position: int = 0) -> ToolResult:
    """Read the result of a call of the turn `t`."""
    return read_result(bench.ledger.results("t", [position])[position])


def make_overdue(bench: Bench) -> None:
    """Have the deadline of the only call pass."""
    client, prefix = bench.ledger.client, bench.ledger.settings.key_prefix
    client.hset(f"{prefix}call:t:0", "deadline", 1)
    client.zadd(f"{prefix}timers", {"t:0": 1})


def take(bench: Bench, key: str = "t:0") -> list[Claim]:
    """Claim a call under the newest notice of it."""
    suspect = bench.ledger.inspect_call(key)
    assert suspect is not None
    return bench.ledger.claim(bench.worker, [(key, suspect.fence)]).claims


def reap(bench: Bench) -> None:
    """Let the reaper do a round."""
    Reaper(bench.ledger, Bell(bench.ledger.settings), bench.signer).tick()


def test_a_call_that_waits_for_a_person_is_given_to_nobody(bench: Bench) -> None:
    """Its sibling runs."""
    calls = [bench.submission(make_spec(index=at, approval=why)) for at, why in ((0, WHY), (1, ""))]

    reply = bench.ledger.submit("t", b"{}", "digest", bench.inbox, calls)

    assert reply is not None
    assert [claim.call_key for claim in bench.claim(reply.rings)] == ["t:1"]
    assert (take(bench), bench.state()) == ([], "awaiting_approval")


def test_what_waits_is_listed_with_all_that_a_person_needs(
    bench: Bench, approvals: Approvals
) -> None:
    """The oldest first."""
    bench.submit(approval=WHY, context=Context(principal="ann", tenant="shop"))
    bench.submit("other")

    [pending] = approvals.pending()

    assert (pending.call_key, pending.spec.approval) == ("t:0", WHY)
    assert pending.until - pending.since == pytest.approx(60.0)
    assert pending.to_json() == {
        "call": "t:0",
        "tool": "read_file",
        "preview": "read_file",
        "arguments": {"path": "…"},
        "principal": "ann",
        "tenant": "shop",
        "conversation_id": "",
        "why": WHY,
        "terms": {"roles": [], "needed": 1, "own": False, "within": None},
        "approved_by": [],
        "since": pending.since,
        "until": pending.until,
    }


def test_many_calls_are_listed(bench: Bench, approvals: Approvals) -> None:
    """More than are looked at in one round trip."""
    bench.submit(count=230, approval=WHY)

    assert len(approvals.pending()) == 230


def test_an_approved_call_runs(bench: Bench, approvals: Approvals) -> None:
    """It waits for nobody any more."""
    bench.submit(approval=WHY)

    decision = approvals.approve("t:0", ANN)
    (claim,) = take(bench)

    assert (decision.approved, decision.who) == (True, "ann")
    assert approvals.pending() == ()
    assert bench.finish(claim)
    assert result(bench).outcome is Outcome.SUCCEEDED


def test_an_approved_call_is_rung_by_its_script(settings: Settings) -> None:
    """Where the queues are in the ledger's own server."""
    bench = Bench.on_own_broker(settings)
    bench.submit(approval=WHY)
    queue = f"{settings.namespace}.default.async.normal"
    before = bench.ledger.client.llen(queue)

    Approvals(bench.ledger, Bell(settings), bench.signer).approve("t:0", ANN)

    assert (before, bench.ledger.client.llen(queue)) == (0, 1)
    bench.ledger.close()


def test_a_denied_call_ends_without_an_effect(bench: Bench, approvals: Approvals) -> None:
    """The model reads the person's reason word for word."""
    bench.submit(approval=WHY, repeatable=False)

    approvals.deny("t:0", ANN, "Not before Monday.")

    denied = result(bench)
    assert (denied.outcome, denied.effect, denied.attempts) == (Outcome.DENIED, Effect.NONE, 0)
    assert denied.error is not None
    assert denied.error.code == "denied"
    assert denied.error.message == "A person denied this call of read_file: Not before Monday."
    assert (take(bench), approvals.pending(), bench.state()) == ([], (), "denied")


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
def test_a_second_decision_is_refused_and_told_the_first(
    bench: Bench, approvals: Approvals, *, first: bool, second: bool
) -> None:
    """Whoever makes it, and whatever it is."""
    bench.submit(approval=WHY)
    decide(approvals, "ann", approve=first)

    with pytest.raises(DecisionRefused) as refused:
        decide(approvals, "bob", approve=second)

    word = "approved" if first else "denied"
    assert str(refused.value).startswith(f"call t:0: already decided: {word} by ann at 2")
    assert bench.state() == ("queued" if first else "denied")


def decide(approvals: Approvals, who: str, *, approve: bool) -> Decision:
    """Decide about the only call."""
    person = Approver(who)
    return approvals.approve("t:0", person) if approve else approvals.deny("t:0", person)


def test_of_many_who_decide_at_once_one_does(bench: Bench) -> None:
    """The others are told who did."""
    bench.submit(approval=WHY)
    people = [f"p{number}" for number in range(16)]

    def one(who: str) -> str:
        approvals = Approvals(bench.ledger, Bell(bench.ledger.settings), bench.signer)
        try:
            return decide(approvals, who, approve=int(who[1:]) % 2 == 0).who
        except DecisionRefused as error:
            return error.reason

    with ThreadPoolExecutor(16) as threads:
        told = list(threads.map(one, people))

    (winner,) = set(told) & set(people)
    assert all(f"by {winner} at" in words for words in told if words != winner)


def test_a_decision_whose_answer_was_lost_is_taken_once(settings: Settings, bench: Bench) -> None:
    """The client makes the write again, and finds its own decision."""
    bench.submit(approval=WHY)

    class Twice(Ledger):
        """Sends each approval twice."""

        def approve(self, approved: Approved) -> tuple[str, list[Ring]]:
            super().approve(approved)
            return super().approve(approved)

    with closing(Twice(settings)) as ledger:
        decision = Approvals(ledger, Bell(settings), bench.signer).approve("t:0", ANN)

    assert decision.who == "ann"


def test_a_deadline_goes_on_while_a_call_waits_for_a_person(bench: Bench) -> None:
    """With or without a worker, its end says that nobody decided."""
    bench.submit(approval=WHY, effect_class=EffectClass.WRITE, repeatable=False)
    make_overdue(bench)

    reap(bench)

    ended = result(bench)
    assert (ended.outcome, ended.effect) == (Outcome.TIMED_OUT, Effect.NONE)
    assert ended.error is not None
    assert ended.error.code == "deadline"
    assert ended.error.message.endswith("within its deadline of 60 s: nobody decided about it.")


def test_nobody_decides_after_the_deadline(bench: Bench, approvals: Approvals) -> None:
    """Also when nobody has ended the call yet."""
    bench.submit(approval=WHY)
    make_overdue(bench)

    with pytest.raises(DecisionRefused, match="its time has passed"):
        approvals.approve("t:0", ANN)

    assert approvals.pending() == ()


def test_a_call_that_waits_for_a_person_can_be_cancelled(
    bench: Bench, approvals: Approvals
) -> None:
    """Then nobody decides any more."""
    bench.submit(approval=WHY)

    became = Canceller(bench.ledger, Bell(bench.ledger.settings), bench.signer).cancel(["t:0"])

    assert became == {"t:0": Withdrawal.CANCELLED}
    with pytest.raises(DecisionRefused, match="it waits for nobody's decision: it is cancelled"):
        approvals.approve("t:0", ANN)


def test_an_approved_call_still_waits_for_its_predecessor(
    bench: Bench, approvals: Approvals
) -> None:
    """And runs after it."""
    (first,) = ask_after_one(bench)

    approvals.approve("t:1", ANN)
    states = [bench.state("t:1")]
    bench.finish(first)
    states.append(bench.state("t:1"))

    assert states == ["waiting", "queued"]


def test_a_predecessor_that_has_ended_does_not_decide(bench: Bench, approvals: Approvals) -> None:
    """The person still has to."""
    (first,) = ask_after_one(bench)

    bench.finish(first)
    states = [bench.state("t:1")]
    approvals.approve("t:1", ANN)
    states.append(bench.state("t:1"))

    assert states == ["awaiting_approval", "queued"]


def test_a_call_denied_in_line_lets_nobody_pass(bench: Bench, approvals: Approvals) -> None:
    """Who follows it still waits for what it waited for."""
    (first,) = ask_after_one(bench)

    approvals.deny("t:1", ANN)
    states = [bench.state("t:2")]
    bench.finish(first)
    states.append(bench.state("t:2"))

    assert states == ["waiting", "queued"]


def test_a_denied_call_lets_its_followers_go(bench: Bench, approvals: Approvals) -> None:
    """Nobody else was in their way."""
    (first,) = ask_after_one(bench)
    bench.finish(first)

    approvals.deny("t:1", ANN)

    assert bench.state("t:2") == "queued"


def ask_after_one(bench: Bench) -> list[Claim]:
    """Submit three calls in a row, of which the second waits for a person; claim the first."""
    calls = [
        bench.submission(
            make_spec(index=at, approval=WHY if at == 1 else ""), after=(at - 1,) if at else ()
        )
        for at in range(3)
    ]
    reply = bench.ledger.submit("t", b"{}", "digest", bench.inbox, calls)
    assert reply is not None
    return bench.claim(reply.rings)


def test_a_call_keeps_its_place_at_a_resource_while_it_waits(
    bench: Bench, approvals: Approvals
) -> None:
    """Calls of later turns stay behind it."""
    place = Placement(resource="row", writes=True)
    bench.submit(approval=WHY, placement=place)
    bench.submit("later", placement=place)

    waited = bench.state("later:0")
    approvals.deny("t:0", ANN)

    assert (waited, bench.state("later:0")) == ("waiting", "queued")


def test_a_replay_of_it_asks_a_person_again(bench: Bench, approvals: Approvals) -> None:
    """No command on dead letters gets around that."""
    bench.submit(approval=WHY)
    approvals.deny("t:0", ANN)

    letters = DeadLetters(bench.ledger, bench.signer, Bell(bench.ledger.settings))
    [replayed] = letters.retry(["t:0"])

    assert [one.call_key for one in approvals.pending()] == [replayed.replay]


def test_a_forged_record_can_neither_be_seen_nor_approved(
    bench: Bench, approvals: Approvals
) -> None:
    """Nobody is shown what nobody signed."""
    bench.submit(approval=WHY)
    prefix = bench.ledger.settings.key_prefix
    bench.ledger.client.hset(f"{prefix}call:t:0", "spec", b"{}")

    assert approvals.pending() == ()
    for decide_it in (approvals.approve, approvals.deny):
        with pytest.raises(DecisionRefused, match="cannot be trusted"):
            decide_it("t:0", ANN)


def test_only_what_waits_for_a_person_can_be_decided(bench: Bench, approvals: Approvals) -> None:
    """By somebody with a name, and if the ledger has it."""
    bench.submit()

    with pytest.raises(DecisionRefused, match="it waits for nobody's decision: it is queued"):
        approvals.approve("t:0", ANN)
    with pytest.raises(DecisionRefused, match="must be legible, on one line, and not empty"):
        approvals.deny("t:0", Approver(" \n"))
    with pytest.raises(CallUnknown):
        approvals.approve("nobody:0", ANN)


def test_a_decided_turn_leaves_no_key_for_ever(
    bench: Bench, approvals: Approvals, client: redis.Redis
) -> None:
    """Whatever was decided."""
    bench.submit(count=2, approval=WHY)
    approvals.approve("t:0", ANN)
    approvals.deny("t:1", ANN)
    (claim,) = take(bench)
    bench.finish(claim)
    bench.ledger.leave(bench.worker, [])

    keys = client.scan_iter(f"{bench.ledger.settings.key_prefix}*")
    lasting = {key for key in keys if client.ttl(key) == -1 and not KEPT.match(key)}

    assert lasting == set()
