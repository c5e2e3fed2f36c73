"""The server restarts with its data: everything goes on by itself, however long it was away."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.whole.conftest import Troubled
from tests.whole.trouble import last
from tests.whole.trouble_tools import begun
from toolferry import Outcome

#: Seconds from the server's return in which workers must take calls again.
BACK_WITHIN = 5.0
CASE = json.loads(
    (Path(__file__).parents[1] / "data" / "cases" / "24-redis-restart.json").read_text("utf-8")
)
#: The words of the case for how calls may end, and ours.
OURS = {"done": Outcome.SUCCEEDED, "unknown": Outcome.LOST}


def test_calls_in_flight_outlive_a_restart(troubled: Troubled) -> None:
    """They run on meanwhile, once each, and their ends are recorded when the server is back."""
    turn = troubled.dispatch(("look", 2), ("pay", 2), ("pay_hard", 2), ("look_hard", 2))
    troubled.wait_begun(4)

    troubled.server.kill()
    last(1)
    troubled.server.start()

    assert [one.outcome for one in turn.gather(30)] == [Outcome.SUCCEEDED] * 4
    assert len(begun(troubled.journal)) == 4


def test_a_dispatcher_and_its_workers_go_on_after_a_restart(troubled: Troubled) -> None:
    """With the connections that they had before."""
    troubled.run()

    troubled.server.kill()
    troubled.server.start()

    assert [one.outcome for one in troubled.run()] == [Outcome.SUCCEEDED] * 2


@pytest.mark.slow
def test_workers_take_calls_within_five_seconds_of_the_servers_return(troubled: Troubled) -> None:
    """Also when it was away for so long that growing pauses would have grown far beyond that."""
    troubled.server.kill()
    last(15)
    troubled.server.start()
    back = time.monotonic()

    outcomes = [one.outcome for one in troubled.run()]

    assert outcomes == [Outcome.SUCCEEDED] * 2
    assert time.monotonic() - back < BACK_WITHIN


@pytest.mark.slow
def test_calls_before_and_after_a_restart_all_end(troubled: Troubled) -> None:
    """Case 24: nobody waits without end, and no worker is up but idle."""
    wanted = CASE["expect"]
    began = time.monotonic()
    before = troubled.dispatch(*[("look_hard", 1)] * 5)
    troubled.wait_begun(5)

    troubled.server.kill()
    last(3)
    troubled.server.start()
    after = troubled.dispatch(*[("look_hard", 1)] * 5)
    results = before.gather(wanted["within_seconds"]) + after.gather(wanted["within_seconds"])

    assert (len(results) == 10) == wanted["all_calls_end"]
    assert {one.outcome for one in results} <= {OURS[word] for word in wanted["allowed_states"]}
    assert time.monotonic() - began < wanted["within_seconds"]
