"""The server freezes and wakes up again: nothing runs twice, nothing is lost."""

from __future__ import annotations

import time

import pytest

from tests.whole.conftest import Troubled
from tests.whole.trouble import last
from tests.whole.trouble_tools import begun
from toolferry import LedgerUnavailable, Outcome

#: Seconds from the moment that the server wakes up in which all must go on.
BACK_WITHIN = 15.0

pytestmark = pytest.mark.slow


def test_a_freeze_of_twenty_seconds_causes_no_second_run_and_no_loss(troubled: Troubled) -> None:
    """Its clock has moved on meanwhile, far beyond every lease; two calls end during it."""
    turn = troubled.dispatch(
        ("look", 25), ("look_hard", 25), ("pay", 25), ("pay_hard", 25), ("glance", 3), ("pay", 3)
    )
    troubled.wait_begun(6)

    with troubled.server.frozen():
        last(20)
    results = turn.gather(40)

    assert [one.outcome for one in results] == [Outcome.SUCCEEDED] * 6
    assert [one.attempts for one in results] == [1] * 6
    assert len(begun(troubled.journal)) == 6


def test_all_go_on_soon_after_the_server_wakes_up(troubled: Troubled) -> None:
    """Both lanes and the dispatcher."""
    troubled.run()

    with troubled.server.frozen():
        last(20)
    awake = time.monotonic()
    outcomes = [one.outcome for one in troubled.run()]

    assert outcomes == [Outcome.SUCCEEDED] * 2
    assert time.monotonic() - awake < BACK_WITHIN


def test_a_dispatch_to_a_frozen_server_fails_in_time(troubled: Troubled) -> None:
    """With one sentence; nobody waits for ever."""
    troubled.run()

    with troubled.server.frozen():
        began = time.monotonic()
        with pytest.raises(LedgerUnavailable, match="did not answer"):
            troubled.dispatch(("look", 0))

    assert time.monotonic() - began < 6
