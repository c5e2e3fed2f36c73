"""The thread that reads a worker's orders, over a real ledger."""

from __future__ import annotations

from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from tests.ledger.samples import Bench
from toolferry_ledger import Bell, Canceller, Ledger, Settings, connect_alone
from toolferry_worker.orders import Order, OrdersThread


@pytest.fixture
def bench(settings: Settings) -> Iterator[Bench]:
    """Give a ledger of its own on the shared server, and a worker by hand."""
    bench = Bench.on(settings)
    yield bench
    bench.ledger.close()


@pytest.fixture
def heard() -> SimpleQueue[Order]:
    """Give what gets each order that is obeyed."""
    return SimpleQueue()


@pytest.fixture
def orders(bench: Bench, heard: SimpleQueue[Order]) -> Iterator[OrdersThread]:
    """Run the thread of the worker that the bench is."""
    ledger = Ledger(bench.ledger.settings, connect_alone)
    thread = OrdersThread(ledger, bench.worker, heard.put)
    thread.start()
    yield thread
    thread.stop()


def cancel(bench: Bench, *keys: str) -> None:
    """Cancel calls."""
    bell = Bell(bench.ledger.settings)
    Canceller(bench.ledger, bell, bench.signer).cancel(keys, "enough")


@pytest.mark.usefixtures("orders")
def test_an_order_says_which_attempt_and_why(bench: Bench, heard: SimpleQueue[Order]) -> None:
    """It comes as soon as the call is cancelled."""
    (claim,) = bench.claim(bench.submit().rings)

    cancel(bench, "t:0")

    assert heard.get(timeout=10) == Order("t:0", claim.fence, "enough")


@pytest.mark.usefixtures("orders")
def test_an_attempt_that_has_ended_is_not_stopped(bench: Bench, heard: SimpleQueue[Order]) -> None:
    """Nor is a later one of the same call: only the attempt that the order names."""
    old, new = bench.claim(bench.submit(count=2).rings)
    bench.finish(old)
    bench.ledger.client.rpush(
        f"{bench.ledger.settings.key_prefix}orders:{bench.worker}",
        f"t:0 {old.fence}",
        f"t:1 {new.fence + 1}",
        "nobody:0 1",
    )

    cancel(bench, "t:1")

    assert heard.get(timeout=10) == Order("t:1", new.fence, "enough")
    assert heard.empty()
