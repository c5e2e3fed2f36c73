"""Leases: renewed by a thread or by a process that does not outlive its worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
import redis

from tests.waiting import wait_until
from tests.worker.processes import is_alive
from toolferry import Lane, Tool
from toolferry_ledger import (
    Catalog,
    Keeping,
    Ledger,
    Offer,
    Pool,
    Settings,
    Signer,
    connect_briefly,
    write_definitions,
)
from toolferry_worker.lease import Lease, LeaseProcess, LeaseThread, keep_renewed

#: A program that has its lease renewed by a process of its own, tells its id, and waits.
WORKER = """
import signal
from tests.worker.test_lease import lease_of
from toolferry_ledger import Settings
from toolferry_worker.lease import LeaseProcess
renewer = LeaseProcess(lease_of(Settings.from_env()))
renewer.start()
print(renewer.pid, flush=True)
signal.pause()
"""


@pytest.fixture
def ledger(settings: Settings) -> Iterator[Ledger]:
    """Give a ledger of its own."""
    ledger = Ledger(settings)
    yield ledger
    ledger.close()


def lease_of(settings: Settings) -> Lease:
    """Give a lease to renew."""
    tools = write_definitions([Tool(name="look_up", lane=Lane.ASYNC)], Signer(settings.secret))
    offer = Offer(owner="w", lane=Lane.ASYNC, definitions=tools)
    return Lease(settings=settings, owner="w", pools=[Pool(Lane.ASYNC)], slots=5, offer=offer)


def renewed_until(client: redis.Redis, settings: Settings) -> float | None:
    """Read when the lease ends, by the server's clock in milliseconds."""
    score: float | None = client.zscore(f"tf:{settings.namespace}:owners", "w")
    return score


def test_a_lease_is_renewed_until_its_keeper_says_stop(
    settings: Settings, ledger: Ledger, client: redis.Redis
) -> None:
    """Each pause is followed by a renewal."""
    pauses = iter([False, False, True])

    keep_renewed(lease_of(settings), ledger, lambda _seconds: next(pauses))

    assert renewed_until(client, settings) is not None
    assert client.hget(f"tf:{settings.namespace}:slots:default.async", "w") == "5"


def test_a_renewal_that_failed_is_soon_tried_again(settings: Settings) -> None:
    """The lease would end before the next one is due."""
    away = replace(settings, url="redis://127.0.0.1:1/0")
    pauses: list[float] = []

    def pause(seconds: float) -> bool:
        pauses.append(seconds)
        return len(pauses) > 2

    keep_renewed(lease_of(away), Ledger(away, connect_briefly), pause)

    assert pauses == [2.0, 0.2, 0.2]


def test_a_lease_is_renewed_three_times_in_its_time(settings: Settings, ledger: Ledger) -> None:
    """However long it is, two renewals may fail."""
    pauses: list[float] = []

    def pause(seconds: float) -> bool:
        """Note how long, and stop."""
        pauses.append(seconds)
        return True

    for seconds in (6.0, 1.0):
        short = replace(settings, keeping=Keeping(lease=seconds))
        keep_renewed(lease_of(short), ledger, pause)

    assert pauses == [2.0, pytest.approx(1 / 3)]


@pytest.mark.parametrize("kind", [LeaseThread, LeaseProcess])
def test_a_lease_begins_when_it_is_told_to(
    settings: Settings, ledger: Ledger, client: redis.Redis, kind: type[object]
) -> None:
    """And not before: a worker that still opens what its handlers share is not there."""
    lease = lease_of(settings)
    renewer = LeaseThread(lease, ledger) if kind is LeaseThread else LeaseProcess(lease)
    renewer.start()
    before = renewed_until(client, settings)

    renewer.begin()

    wait_until(lambda: renewed_until(client, settings), "the first renewal")
    assert before is None
    renewer.stop()


def test_what_a_worker_offers_is_told_with_each_renewal(settings: Settings, ledger: Ledger) -> None:
    """A server that lost it has it again."""
    pauses = iter([False, True])

    keep_renewed(lease_of(settings), ledger, lambda _seconds: next(pauses))

    (offer,) = Catalog(ledger, Signer(settings.secret)).read().live
    assert (offer.owner, list(offer.tools)) == ("w", ["look_up"])


def test_a_thread_that_is_stopped_renews_no_more(settings: Settings, ledger: Ledger) -> None:
    """Leaving the ledger after that is final."""
    thread = LeaseThread(lease_of(settings), ledger)
    thread.start()

    thread.stop()

    assert not thread.is_running


def test_the_helper_ends_with_its_worker(settings: Settings) -> None:
    """However the worker ended."""
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER],
        env={**os.environ, **settings.environment()},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert worker.stdout
    helper = int(worker.stdout.readline())

    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()

    wait_until(lambda: not is_alive(helper), "the helper's end")


def test_the_helper_outlives_what_only_asks_the_worker_to_stop(settings: Settings) -> None:
    """A drain may take a while, and the lease has to hold."""
    renewer = LeaseProcess(lease_of(settings))
    renewer.start()

    os.kill(renewer.pid, signal.SIGTERM)

    assert is_alive(renewer.pid)
    renewer.stop()
    renewer.stop()
