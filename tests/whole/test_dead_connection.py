"""The network path to the server dies, and nobody is told."""

from __future__ import annotations

import time

import pytest

from tests.whole.conftest import Troubled
from tests.whole.trouble import Wire, last
from tests.whole.trouble_tools import begun
from toolferry import Outcome

#: Seconds from the moment that the path is good again in which all must go on.
BACK_WITHIN = 15.0

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seconds", [0, 20])
def test_all_go_on_soon_after_the_path_is_good_again(
    wired: Troubled, wire: Wire, seconds: float
) -> None:
    """Old connections stay dead for ever, and no error ever says so."""
    wired.run()

    wire.cut()
    last(seconds)
    wire.heal()
    healed = time.monotonic()
    outcomes = [one.outcome for one in wired.run()]

    assert outcomes == [Outcome.SUCCEEDED] * 2
    assert time.monotonic() - healed < BACK_WITHIN


def test_a_worker_keeps_its_calls_when_its_connections_die(wired: Troubled, wire: Wire) -> None:
    """Its lease is renewed over a new one in time, and its results are written over another."""
    turn = wired.dispatch(("look", 12), ("look_hard", 12), ("pay", 12), ("pay_hard", 12))
    wired.wait_begun(4)

    wire.cut()
    wire.heal()
    results = turn.gather(40)

    assert [one.outcome for one in results] == [Outcome.SUCCEEDED] * 4
    assert [one.attempts for one in results] == [1] * 4
    assert len(begun(wired.journal)) == 4
