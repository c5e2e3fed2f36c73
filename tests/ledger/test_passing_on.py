"""A call that was passed on: its handler was never called, so it has its attempt back."""

from __future__ import annotations

import pytest

from tests.ledger.samples import Bench
from toolferry import CallState
from toolferry_ledger import Settlement


@pytest.mark.parametrize("state", [CallState.RETRYING, CallState.QUEUED])
def test_a_call_that_is_passed_on_uses_up_no_attempt(bench: Bench, state: CallState) -> None:
    """The worker that runs it in the end begins the first one."""
    (claim,) = bench.claim(bench.submit().rings)

    bench.ledger.settle([Settlement(claim.call_key, claim.fence, state, uncounted=True)])

    suspect = bench.ledger.inspect_call(claim.call_key)
    assert suspect is not None
    assert (suspect.state, suspect.attempt) == (state, 0)


def test_only_the_holder_of_the_fence_can_pass_a_call_on(bench: Bench) -> None:
    """A late owner takes no attempt away."""
    (claim,) = bench.claim(bench.submit().rings)
    late = Settlement(claim.call_key, claim.fence + 1, CallState.RETRYING, uncounted=True)

    reply = bench.ledger.settle([late])

    suspect = bench.ledger.inspect_call(claim.call_key)
    assert reply.accepted == [False]
    assert suspect is not None
    assert suspect.attempt == 1


def test_passing_on_is_counted_once_however_often_it_is_written(bench: Bench) -> None:
    """An answer that was lost leads to a second write."""
    (claim,) = bench.claim(bench.submit().rings)
    passed_on = Settlement(claim.call_key, claim.fence, CallState.RETRYING, uncounted=True)

    bench.ledger.settle([passed_on])
    bench.ledger.settle([passed_on])

    suspect = bench.ledger.inspect_call(claim.call_key)
    assert suspect is not None
    assert suspect.attempt == 0
