"""The breaker: a tool that fails all the time rests, so that nobody waits for it in vain."""

from __future__ import annotations

from dataclasses import replace

import pytest
import redis

from tests.ledger.samples import Bench
from toolferry import CallError, ErrorCode, Outcome
from toolferry_ledger import Claim, Keeping, Settings
from toolferry_policies import AttemptEnd

CRASHED = AttemptEnd(
    outcome=Outcome.FAILED,
    error=CallError.of(ErrorCode.EXECUTION_FAILED, "It failed."),
    retryable=False,
)


@pytest.fixture
def bench(settings: Settings) -> Bench:
    """Give a system in which a tool rests after three faults in a row."""
    return Bench.on(replace(settings, keeping=Keeping(breaker_faults=3)))


def claim_one(bench: Bench, turn_id: str, name: str = "read_file") -> Claim:
    """Submit a call and claim it."""
    (claim,) = bench.claim(bench.submit(turn_id, name=name).rings)
    return claim


def fail(bench: Bench, count: int) -> None:
    """Have so many calls of one tool fail."""
    for number in range(count):
        bench.finish(claim_one(bench, f"f{number}"), CRASHED)


def test_a_tool_rests_after_so_many_faults_in_a_row(bench: Bench) -> None:
    """Its next call comes with a mark; another tool's does not."""
    fail(bench, 3)

    marks = [claim_one(bench, name, name).marks for name in ("read_file", "other")]

    assert marks == [{"shed"}, frozenset()]


def test_a_success_between_them_starts_the_count_anew(bench: Bench) -> None:
    """Faults in a row are what counts."""
    fail(bench, 2)
    bench.finish(claim_one(bench, "good"))
    bench.finish(claim_one(bench, "bad"), CRASHED)

    assert claim_one(bench, "next").marks == frozenset()


def test_after_its_rest_one_more_fault_is_enough(bench: Bench, client: redis.Redis) -> None:
    """A probe that fails sends it back to rest."""
    fail(bench, 3)
    client.delete(f"{bench.ledger.settings.key_prefix}shed:read_file")

    probe = claim_one(bench, "probe")
    bench.finish(probe, CRASHED)

    assert probe.marks == frozenset()
    assert claim_one(bench, "next").marks == {"shed"}
