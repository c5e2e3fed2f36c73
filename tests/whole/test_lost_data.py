"""The server loses its data: a waiting dispatcher notices, and workers serve the next calls."""

from __future__ import annotations

import pytest

from tests.whole.conftest import Troubled
from tests.whole.trouble_tools import begun
from toolferry import Effect, Outcome


@pytest.mark.slow
def test_open_calls_end_as_lost_after_a_restart_without_data(troubled: Troubled) -> None:
    """The workers, which still run them, change nothing of that, and go on with other calls."""
    turn = troubled.dispatch(("look", 20), ("pay", 20), ("pay_hard", 20))
    troubled.wait_begun(3)

    troubled.server.kill()
    troubled.server.lose_data()
    troubled.server.start()
    results = turn.gather(30)

    assert [one.outcome for one in results] == [Outcome.LOST] * 3
    assert [one.effect for one in results] == [Effect.NONE, Effect.POSSIBLE, Effect.POSSIBLE]
    assert [one.outcome for one in troubled.run()] == [Outcome.SUCCEEDED] * 2


@pytest.mark.slow
def test_what_may_be_repeated_runs_again_after_the_data_was_flushed(troubled: Troubled) -> None:
    """Where the application asked for it; the write is not begun a second time."""
    turn = troubled.dispatch(("look_hard", 8), ("pay_hard", 8), resubmit=True)
    troubled.wait_begun(2)

    with troubled.server.client as client:
        client.flushall()
    results = turn.gather(60)

    assert [one.outcome for one in results] == [Outcome.SUCCEEDED, Outcome.LOST]
    assert sorted(begun(troubled.journal)) == ["call_0 1", "call_0 1", "call_1 1"]
