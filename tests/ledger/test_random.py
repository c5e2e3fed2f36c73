"""The ledger under anything that can happen in any order, held to what it promises.

A model draws turns, claims, ends, late ends, deaths of workers and cancellations at random; what
must always hold is checked after each step. At last all is brought to an end, so that what is
stuck shows.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings, strategies
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.ledger.samples import Bench, Placement
from toolferry import CallError, Concurrency, EffectClass, ErrorCode, Outcome
from toolferry_ledger import (
    Bell,
    Canceller,
    Claim,
    Reaper,
    Ring,
    Route,
    Settings,
    Settlement,
    Withdrawal,
)
from toolferry_ledger.server import Served
from toolferry_policies import AttemptEnd

#: Seconds in which everything that is left must end: retries are due after a millisecond.
PATIENCE = 20.0
WORKERS = ("worker-1", "worker-2")
SUCCESS = AttemptEnd(outcome=Outcome.SUCCEEDED)
CRASH = AttemptEnd(
    outcome=Outcome.FAILED, error=CallError.of(ErrorCode.EXECUTION_FAILED, "It failed.")
)
TIMED_OUT = AttemptEnd(outcome=Outcome.TIMED_OUT, retryable=False)
PLACEMENTS = (
    Placement(),
    Placement(resource="table", writes=True),
    Placement(resource="table", writes=False),
    Placement(concurrency=Concurrency(2, "account")),
    Placement(resource="table", writes=True, concurrency=Concurrency(2, "account")),
)


@dataclass
class Run:
    """An attempt whose handler runs, as the model knows it."""

    claim: Claim
    worker: str
    #: Whether its worker still has its lease.
    is_alive: bool = True
    #: Whether its call was told to be over.
    is_over: bool = False


class Anything(RuleBasedStateMachine):
    """Everything that dispatchers, workers, people and death do to a ledger."""

    base: ClassVar[Settings]

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench.on(replace(self.base, namespace=f"any-{uuid.uuid4().hex[:12]}"))
        self.rings: list[Ring] = []
        bell = _Quiet(self.bench.ledger.settings, self)
        self.canceller = Canceller(self.bench.ledger, bell, self.bench.signer)
        self.reaper = Reaper(self.bench.ledger, bell, self.bench.signer)
        self.runs: list[Run] = []
        self.placements: dict[str, Placement] = {}
        self.repeatable: dict[str, bool] = {}
        self.started: dict[str, int] = {}
        self.results: dict[str, bytes] = {}
        self.unstarted: set[str] = set()
        self._beat()

    @rule(
        count=strategies.integers(1, 3),
        placement=strategies.sampled_from(PLACEMENTS),
        repeatable=strategies.booleans(),
    )
    def submit(self, count: int, placement: Placement, repeatable: bool) -> None:  # noqa: FBT001 -- drawn
        """A dispatcher submits a turn, whose later calls may wait for earlier ones."""
        turn_id = f"t{len(self.placements)}"
        writes = placement.resource is not None and placement.writes
        reply = self.bench.submit(
            turn_id,
            count,
            after=lambda at: tuple(range(at)) if writes else (),
            placement=placement,
            repeatable=repeatable,
            effect_class=EffectClass.WRITE,
        )
        self.rings += reply.rings
        for at in range(count):
            self.placements[f"{turn_id}:{at}"] = placement
            self.repeatable[f"{turn_id}:{at}"] = repeatable

    @precondition(lambda self: self.rings)
    @rule(data=strategies.data())
    def claim(self, data: strategies.DataObject) -> None:
        """A worker takes a notice; it may come twice, or late."""
        ring = data.draw(strategies.sampled_from(self.rings))
        worker = data.draw(strategies.sampled_from(WORKERS))
        if data.draw(strategies.booleans()):
            self.rings.remove(ring)
        reply = self.bench.ledger.claim(worker, [(ring.call_key, ring.fence)])
        self.rings += reply.rings
        for claim in reply.claims:
            self._start(Run(claim, worker))

    @precondition(lambda self: self.runs)
    @rule(data=strategies.data(), end=strategies.sampled_from((SUCCESS, CRASH)))
    def finish(self, data: strategies.DataObject, end: AttemptEnd) -> None:
        """A handler ends, in time, late, or after its worker was given up."""
        run = data.draw(strategies.sampled_from(self.runs))
        self.runs.remove(run)
        settlement = self.bench.conclude(run.claim, end)
        if run.is_over:
            settlement = Settlement(
                run.claim.call_key, run.claim.fence, settlement.state, late=True
            )
        self._settle(settlement, run.worker)

    @precondition(lambda self: any(not run.is_over for run in self.runs))
    @rule(data=strategies.data())
    def pass_limit(self, data: strategies.DataObject) -> None:
        """A handler outlives its limit."""
        run = data.draw(strategies.sampled_from([r for r in self.runs if not r.is_over]))
        run.is_over = True
        end = self.bench.conclude(run.claim, TIMED_OUT)
        self._settle(replace(end, holding=True), run.worker)

    @precondition(lambda self: self.placements)
    @rule(data=strategies.data())
    def cancel(self, data: strategies.DataObject) -> None:
        """A person cancels a call."""
        key = data.draw(strategies.sampled_from(sorted(self.placements)))
        if self.canceller.cancel([key])[key] is Withdrawal.CANCELLED:
            self.unstarted.add(key)

    @rule(worker=strategies.sampled_from(WORKERS))
    def die(self, worker: str) -> None:
        """A worker's lease ends; its handlers are gone, or write later in vain."""
        self.bench.ledger.client.zadd(f"{self._prefix}owners", {worker: 1})
        for run in self.runs:
            run.is_alive = run.is_alive and run.worker != worker
        self._reap()
        self._beat()

    @rule()
    def look_after(self) -> None:
        """Somebody's reaper has its round."""
        self._reap()

    @invariant()
    def results_never_change(self) -> None:
        """The first outcome of a call is its only one."""
        for turn_id in {key.split(":")[0] for key in self.placements}:
            record = self.bench.ledger.attach(turn_id)
            assert record is not None
            for at, text in record.results.items():
                assert self.results.setdefault(f"{turn_id}:{at}", text) == text

    def teardown(self) -> None:
        """Bring everything to its end: nothing is stuck, and nothing is left."""
        for run in self.runs:
            self._settle(self._end_of(run), run.worker)
        self.runs = []
        give_up_at = time.monotonic() + PATIENCE
        while not self._all_ended():
            assert time.monotonic() < give_up_at, f"stuck: {self._open()}"
        prefix = self._prefix
        left = [
            self.bench.ledger.client.zcard(f"{prefix}{name}") for name in ("timers", "cancelling")
        ]
        assert left == [0, 0]
        self.bench.ledger.close()

    def _end_of(self, run: Run) -> Settlement:
        end = self.bench.conclude(run.claim)
        return replace(end, late=True) if run.is_over else end

    def _open(self) -> list[str]:
        keys = sorted(self.placements.keys() - self.results.keys())
        return [f"{one.call_key} {one.state}" for one in self.bench.ledger.inspect_calls(keys)]

    def _all_ended(self) -> bool:
        self._reap()
        rings, self.rings = self.rings, []
        for ring in rings:
            reply = self.bench.ledger.claim(WORKERS[0], [(ring.call_key, ring.fence)])
            self.rings += reply.rings
            for claim in reply.claims:
                self._settle(self.bench.conclude(claim), WORKERS[0])
        self.results_never_change()
        return len(self.results) == len(self.placements)

    def _start(self, run: Run) -> None:
        key = run.claim.call_key
        assert key not in self.unstarted
        assert self.repeatable[key] or key not in self.started
        self.started[key] = self.started.get(key, 0) + 1
        beside = [other for other in self.runs if other.is_alive]
        assert key not in {other.claim.call_key for other in beside if not other.is_over}
        self._check_resource(key, beside)
        self.runs.append(run)
        self._check_limit()

    def _check_resource(self, key: str, beside: list[Run]) -> None:
        mine = self.placements[key]
        for other in beside:
            theirs = self.placements[other.claim.call_key]
            same = mine.resource is not None and mine.resource == theirs.resource
            is_other = other.claim.call_key != key
            assert not (same and is_other and (mine.writes or theirs.writes))

    def _check_limit(self) -> None:
        limited = {
            run.claim.call_key
            for run in self.runs
            if run.is_alive and self.placements[run.claim.call_key].concurrency
        }
        assert len(limited) <= 2

    def _settle(self, settlement: Settlement, worker: str) -> None:
        self.rings += self.bench.ledger.settle([settlement], worker).rings

    def _reap(self) -> None:
        self.bench.ledger.client.delete(f"{self._prefix}sweeper")  # nobody has swept of late
        self.reaper.tick()

    def _beat(self) -> None:
        for worker in WORKERS:
            self.bench.ledger.beat(worker, [], 4)

    @property
    def _prefix(self) -> str:
        return self.bench.ledger.settings.key_prefix


class _Quiet(Bell):
    """A bell whose notices the model keeps, since nobody else would take them."""

    def __init__(self, settings: Settings, model: Anything) -> None:
        super().__init__(settings)
        self._model = model

    def ring(self, rings: Sequence[Ring]) -> bool:
        """Keep them."""
        self._model.rings += rings
        return True

    def depth(self, _route: Route) -> int | None:
        """Say that nobody knows how many notices are still out."""
        return None


@pytest.mark.parametrize("examples", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_whatever_happens_the_promises_hold(server: Served, examples: int, tmp_path: Path) -> None:
    """No result changes, nothing overlaps, nothing runs twice, nothing is stuck."""
    base = Settings(url=server.url, secret=server.secret.encode(), home=tmp_path)
    model = type("Anything", (Anything,), {"base": base})

    run_state_machine_as_test(
        model,
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
