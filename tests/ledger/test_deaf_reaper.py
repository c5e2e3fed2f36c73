"""A reaper that cannot reach the broker: it must not be the only one that is ever elected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.ledger.samples import Bench
from toolferry import Lane
from toolferry_ledger import SWEEP_EVERY, Bell, Ledger, Pool, Reaper, Route, Settings, Signer


@pytest.fixture(params=["amqp://guest:guest@127.0.0.1:1//", "redis://127.0.0.1:1/0"])
def deaf(request: pytest.FixtureRequest, settings: Settings) -> Iterator[Bench]:
    """Give a ledger whose queues are where nobody answers."""
    bench = Bench(Ledger(replace(settings, broker_url=request.param)), Signer(settings.secret))
    yield bench
    bench.ledger.close()


def test_it_stays_away_for_longer_than_others_do(deaf: Bench) -> None:
    """Another one with the same period is elected meanwhile."""
    deaf.submit("t", 1)
    reaper = Reaper(deaf.ledger, Bell(deaf.ledger.settings), deaf.signer)

    pause = reaper.tick()

    assert pause > SWEEP_EVERY


def test_the_bell_says_that_it_does_not_know(deaf: Bench) -> None:
    """An unknown length is no empty queue: nothing is taken for lost by it."""
    bell = Bell(deaf.ledger.settings)

    assert bell.depth(Route(Pool(Lane.ASYNC))) is None
    assert bell.ring(deaf.submit("t", 1).rings) is False
