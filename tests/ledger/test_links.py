"""Links: a call that follows one which has to succeed is halted when that one does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ledger.samples import Bench, make_spec
from toolferry import CallState, Outcome
from toolferry_ledger import Bell, Claim, Reaper, Settlement, Submission
from toolferry_policies import AttemptEnd

FAILED = AttemptEnd(outcome=Outcome.FAILED, retryable=False)


def linked(bench: Bench, index: int, **changes: object) -> Submission:
    """Give a call that follows the one before it, which has to succeed."""
    call = bench.submission(make_spec("t", index, **changes))
    return replace(call, link=index - 1) if index else call


def submit(bench: Bench, *calls: Submission) -> list[Claim]:
    """Write a turn and claim what may run at once."""
    reply = bench.ledger.submit("t", b"{}", "digest", bench.inbox, calls)
    assert reply is not None
    return bench.claim(reply.rings)


def end(bench: Bench, claim: Claim, how: AttemptEnd | None = None) -> list[Claim]:
    """End a call and claim what may run then."""
    settlement = bench.conclude(claim, how) if how else bench.conclude(claim)
    return bench.claim(bench.ledger.settle([settlement]).rings)


def test_a_linked_call_waits_for_the_one_before_it(bench: Bench) -> None:
    """And runs as any other when that has succeeded."""
    [first] = submit(bench, linked(bench, 0), linked(bench, 1))

    [second] = end(bench, first)

    assert (second.call_key, second.marks) == ("t:1", frozenset())


def test_a_linked_call_is_halted_when_the_one_before_it_fails(bench: Bench) -> None:
    """And so is who follows it, as it has not succeeded either."""
    [first] = submit(bench, *(linked(bench, index) for index in range(3)))

    [second] = end(bench, first, FAILED)
    [third] = end(bench, second, FAILED)

    assert [second.marks, third.marks] == [{"halted"}, {"halted"}]


def test_a_call_that_only_waits_for_another_is_not_halted(bench: Bench) -> None:
    """It wants to see it ended, however that is."""
    waits = replace(bench.submission(make_spec("t", 2)), after=(0,), link=1)
    first, second = submit(bench, linked(bench, 0), bench.submission(make_spec("t", 1)), waits)

    assert end(bench, first, FAILED) == []
    [third] = end(bench, second)

    assert third.marks == frozenset()


@pytest.mark.parametrize("outcome", [CallState.DENIED, CallState.FAILED])
def test_a_call_is_halted_whose_predecessor_was_refused_when_it_was_written(
    bench: Bench, outcome: CallState
) -> None:
    """By a budget, or because the server had lost the turn in which it had failed."""
    refused = replace(linked(bench, 0), outcome=outcome, result=b"{}")

    [claim] = submit(bench, refused, linked(bench, 1))

    assert claim.marks == {"halted"}


def test_a_call_whose_predecessor_had_succeeded_already_is_not_halted(bench: Bench) -> None:
    """As in a turn that is written anew after the server has lost it."""
    known = replace(linked(bench, 0), outcome=CallState.SUCCEEDED, result=b"{}")

    [claim] = submit(bench, known, linked(bench, 1))

    assert claim.marks == frozenset()


def test_a_predecessor_whose_worker_died_halts_its_successor(bench: Bench) -> None:
    """Nobody knows whether it has happened."""
    [first] = submit(bench, linked(bench, 0), linked(bench, 1))
    lost = Settlement(first.call_key, first.fence, CallState.LOST, b"{}")

    [second] = bench.claim(bench.ledger.settle([lost]).rings)

    assert second.marks == {"halted"}


def test_nobody_is_asked_about_a_call_that_is_halted(bench: Bench) -> None:
    """It ends at the next look at the timers, with nothing done."""
    asked = linked(bench, 1, approval="it clicks")
    [first] = submit(bench, linked(bench, 0), asked)

    end(bench, first, FAILED)
    Reaper(bench.ledger, Bell(bench.ledger.settings), bench.signer).tick()

    assert bench.state("t:1") == "cancelled"
