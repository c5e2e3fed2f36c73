"""The overview: how a system stands, whoever is alive."""

from __future__ import annotations

from tests.ledger.samples import Bench
from toolferry import CallState, Lane, Outcome
from toolferry_ledger import Pool


def test_an_empty_system_has_nothing_open(bench: Bench) -> None:
    """Every state is named, and none has calls."""
    overview = bench.ledger.overview()

    assert {view.count for view in overview.states.values()} == {0}
    assert overview.workers == []
    assert overview.tools == {}


def test_open_calls_are_counted_by_state_lane_and_tool(bench: Bench) -> None:
    """A turn's calls are counted wherever people look for them."""
    bench.claim(bench.submit(count=3, after=lambda i: (0,) if i == 2 else ()).rings[:1])

    overview = bench.ledger.overview()

    counts = {state: view.count for state, view in overview.states.items() if view.count}
    assert counts == {CallState.WAITING: 1, CallState.QUEUED: 1, CallState.RUNNING: 1}
    assert overview.lanes == {Lane.ASYNC: 3, Lane.PROCESS: 0}
    assert overview.tools == {"read_file": 3}
    oldest = overview.states[CallState.QUEUED].oldest_seconds
    assert oldest is not None
    assert 0 <= oldest < 60


def test_a_worker_is_seen_with_its_slots_and_calls(bench: Bench) -> None:
    """People see which worker can run how much and what it runs."""
    bench.ledger.beat(bench.worker, [Pool(Lane.ASYNC)], 8)
    bench.claim(bench.submit(count=2).rings)

    (worker,) = bench.ledger.overview().workers

    assert (worker.owner, worker.lane, worker.slots, worker.running) == (
        "worker-1",
        Lane.ASYNC,
        8,
        2,
    )
    assert 0 < worker.lease_seconds <= 7


def test_ends_are_counted_by_outcome(bench: Bench) -> None:
    """What has ended is counted for ever."""
    bench.finish(bench.claim(bench.submit().rings)[0])

    assert bench.ledger.overview().outcomes[Outcome.SUCCEEDED] == 1


def test_the_json_form_carries_its_version(bench: Bench) -> None:
    """Programs that read it can tell what they read."""
    bench.ledger.beat(bench.worker, [Pool(Lane.ASYNC)], 8)

    data = bench.ledger.overview().to_json()

    assert data["schema_version"] == 1
    assert data["states"]["queued"] == {"count": 0, "oldest_seconds": None}
    assert data["workers"][0]["lane"] == "async"
