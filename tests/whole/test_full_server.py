"""The server is full: it refuses new calls, and loses none that it has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.ledger.samples import SUCCESS, Bench
from tests.whole.conftest import Troubled
from tests.whole.trouble import OwnServer
from tests.whole.trouble_tools import JOURNAL
from tests.worker.running import RunningWorker
from toolferry import Artifact, Lane, LedgerUnavailable, Outcome
from toolferry_ledger import read_artifact


@contextmanager
def full(server: OwnServer) -> Iterator[None]:
    """Leave the server no memory for a while."""
    with server.client as client:
        client.config_set("maxmemory", "1kb")
        yield
        client.config_set("maxmemory", "0")


def test_a_full_server_takes_no_calls_and_keeps_the_results_of_those_that_run(
    troubled: Troubled,
) -> None:
    """Afterwards all goes on."""
    turn = troubled.dispatch(("look", 1), ("look_hard", 1), ("pay", 1), ("pay_hard", 1))
    troubled.wait_begun(4)

    with full(troubled.server):
        with pytest.raises(LedgerUnavailable, match="it is full; raise its maxmemory"):
            troubled.dispatch(("look", 0))
        results = turn.gather(30)

    assert [one.outcome for one in results] == [Outcome.SUCCEEDED] * 4
    assert [one.outcome for one in troubled.run()] == [Outcome.SUCCEEDED] * 2


def test_a_full_server_keeps_no_artifact(own_server: OwnServer) -> None:
    """Only the result that was cut: what can be done without does not fill it more."""
    bench = Bench.on(own_server.settings)
    with closing(bench.ledger) as ledger:
        claims = bench.claim(bench.submit(count=2).rings)
        cut = replace(SUCCESS, artifact=Artifact(b"done, and more", 4))

        with full(own_server):
            assert bench.finish(claims[0], cut)
        assert bench.finish(claims[1], cut)

        assert len(ledger.results("t", [0, 1])) == 2
        kept = [read_artifact(ledger, claim.call_key) for claim in claims]
        assert kept == [None, "done, and more"]


@pytest.mark.slow
def test_a_worker_starts_on_a_full_server(own_server: OwnServer, tmp_path: Path) -> None:
    """It does not die of it, as it would when it had to write down its queues."""
    with full(own_server):
        starting = RunningWorker(
            own_server.settings,
            Lane.ASYNC,
            environment={JOURNAL: str(tmp_path / "journal")},
            tools="tests.whole.trouble_tools",
        )
        try:
            starting.ready()
            code = starting.stop()
        finally:
            starting.finish_off()

    assert code == 0


@pytest.mark.slow
def test_workers_that_are_cut_off_reconnect_to_a_full_server(troubled: Troubled) -> None:
    """And serve when it has room."""
    with full(troubled.server), troubled.server.client as client:
        client.client_kill_filter(_type="normal", skipme=True)
        for worker in troubled.workers.values():
            worker.wait_for("library.said", logger="celery.worker.consumer.consumer")

    assert [one.outcome for one in troubled.run()] == [Outcome.SUCCEEDED] * 2


def test_calls_that_wait_on_a_full_server_run_when_it_has_room(troubled: Troubled) -> None:
    """A worker cannot take them before, and does not forget those that it was told of."""
    turn = troubled.dispatch(*[("look_hard", 1)] * 8, ("look", 1))
    troubled.wait_begun(4)

    with full(troubled.server):
        next(iter(turn))

    assert [one.outcome for one in turn.gather(30)] == [Outcome.SUCCEEDED] * 9
