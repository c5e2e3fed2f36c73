"""Doubts: what is kept with a call while it is found out what it did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.ledger.samples import Bench
from toolferry import CallError, CallState, Effect, EffectClass, ErrorCode, Outcome, ToolResult
from toolferry_ledger import (
    Bell,
    Canceller,
    Claim,
    Reaper,
    Settings,
    Settlement,
    conclude,
    lost_end,
    open_spec,
    overdue_end,
    read_result,
)
from toolferry_policies import AttemptEnd

WRITE: dict[str, Any] = {
    "effect_class": EffectClass.WRITE,
    "repeatable": False,
    "verifiable": True,
}
LOST = lost_end("The worker vanished.")
COMMITTED = AttemptEnd(
    outcome=Outcome.SUCCEEDED, content=17, effect=Effect.COMMITTED, verified=True
)
NONE = AttemptEnd(outcome=Outcome.FAILED, effect=Effect.NONE, verified=True)


@pytest.fixture
def doubted(bench: Bench) -> Iterator[Claim]:
    """Give the claim of a worker that is to find out what a lost write did."""
    yield claim_of_doubt(bench)
    bench.ledger.close()


def claim_of_doubt(bench: Bench) -> Claim:
    """Lose a write that can be verified, and claim it again."""
    rings = bench.submit(
        effect_class=EffectClass.WRITE, repeatable=False, verifiable=True, deadline=60.0
    ).rings
    (claim,) = bench.claim(rings)
    assert bench.finish(claim, LOST)
    return claimed_again(bench)


def claimed_again(bench: Bench) -> Claim:
    """Claim the call that is due."""
    (claim,) = bench.claim(bench.ledger.due(1.0).rings)
    return claim


def result(bench: Bench) -> ToolResult:
    """Read the call's result."""
    return read_result(bench.ledger.results("t", [0])[0])


def test_finding_out_is_no_attempt(doubted: Claim) -> None:
    """The claim says what it is for, and what the call has if nothing is found."""
    assert (doubted.attempt, "verify" in doubted.marks) == (1, True)
    kept = read_result(doubted.doubt)
    assert (kept.outcome, kept.effect) == (Outcome.LOST, Effect.POSSIBLE)


@pytest.mark.parametrize(
    ("end", "outcome", "effect"),
    [
        (COMMITTED, Outcome.SUCCEEDED, Effect.COMMITTED),
        (NONE, Outcome.LOST, Effect.NONE),
        (LOST, Outcome.LOST, Effect.POSSIBLE),
        (replace(NONE, verified=False), Outcome.LOST, Effect.POSSIBLE),
        (AttemptEnd(outcome=Outcome.TIMED_OUT), Outcome.LOST, Effect.POSSIBLE),
        (AttemptEnd(outcome=Outcome.FAILED, asked=True), Outcome.LOST, Effect.POSSIBLE),
        (AttemptEnd(outcome=Outcome.CANCELLED), Outcome.CANCELLED, Effect.POSSIBLE),
    ],
)
def test_a_doubt_ends_once_and_for_all(
    bench: Bench, doubted: Claim, end: AttemptEnd, outcome: Outcome, effect: Effect
) -> None:
    """By what was found; by the doubt when nothing was, whatever came in between."""
    assert bench.finish(doubted, end)

    assert (result(bench).outcome, result(bench).effect) == (outcome, effect)
    assert result(bench).attempts == 1


@pytest.mark.parametrize("state", [CallState.QUEUED, CallState.RETRYING])
def test_a_worker_that_puts_it_back_leaves_it_in_doubt(
    bench: Bench, doubted: Claim, state: CallState
) -> None:
    """The next one must not run the handler, and no attempt is given back."""
    back = Settlement(doubted.call_key, doubted.fence, state, uncounted=True)
    reply = bench.ledger.settle([back])

    (again,) = bench.claim(reply.rings) or [claimed_again(bench)]

    assert (again.attempt, again.doubt) == (1, doubted.doubt)


def test_a_worker_that_dies_over_it_ends_it(bench: Bench, doubted: Claim) -> None:
    """Who judges it finds the doubt with the call."""
    suspect = bench.ledger.inspect_call("t:0")
    assert suspect is not None
    suspect = replace(suspect, abandoned=True)
    spec = open_spec(bench.signer, suspect)

    settlement = conclude(spec, suspect, overdue_end(spec, suspect), suspect.now)

    assert suspect.doubt == doubted.doubt
    assert (settlement.state, settlement.dead) == (CallState.LOST, True)


def test_a_doubt_that_nobody_clears_can_be_cancelled(bench: Bench, settings: Settings) -> None:
    """Between the two attempts it is a call like any other; its effect stays possible."""
    rings = bench.submit(effect_class=EffectClass.WRITE, repeatable=False, verifiable=True).rings
    bench.finish(bench.claim(rings)[0], LOST)

    Canceller(bench.ledger, Bell(settings), bench.signer).cancel(["t:0"])

    assert (result(bench).outcome, result(bench).effect) == (Outcome.CANCELLED, Effect.POSSIBLE)


def test_a_doubt_that_no_worker_can_clear_ends_with_its_deadline(
    bench: Bench, settings: Settings
) -> None:
    """As it would have ended without."""
    rings = bench.submit(
        effect_class=EffectClass.WRITE, repeatable=False, verifiable=True, deadline=0.3, timeout=0.3
    ).rings
    bench.finish(bench.claim(rings)[0], LOST)
    reaper = Reaper(bench.ledger, Bell(settings), bench.signer)

    while bench.state() in {"retrying", "queued"}:
        reaper.tick()

    assert (result(bench).outcome, result(bench).effect) == (Outcome.LOST, Effect.POSSIBLE)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"effect_class": EffectClass.READ, "repeatable": True}, ErrorCode.WORKER_LOST),
        ({"repeatable": True}, ErrorCode.WORKER_LOST),
        ({"verifiable": False}, ErrorCode.WORKER_LOST),
        ({}, "no_such_order"),
    ],
)
def test_what_is_no_doubt_or_cannot_be_cleared_ends_at_once(
    bench: Bench, changes: dict[str, Any], code: str
) -> None:
    """A tool that may be repeated needs no looking, and a handler's own words are clear."""
    fields: dict[str, Any] = {**WRITE, **changes}
    error = CallError(code=code, message="No.", retryable=False, suggestion="")
    (claim,) = bench.claim(bench.submit(**fields).rings)

    end = AttemptEnd(outcome=Outcome.FAILED, error=error, retryable=False)

    assert bench.conclude(claim, end).state is CallState.FAILED
