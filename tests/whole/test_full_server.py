"""The server is full: it refuses new calls, and loses none that it has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.whole.conftest import Troubled
from tests.whole.trouble import OwnServer
from toolferry import LedgerUnavailable, Outcome


@contextmanager
def full(server: OwnServer) -> Iterator[None]:
    """Leave the server no memory for a while."""
    with server.client as client:
        client.config_set("maxmemory", "1mb")
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


def test_calls_that_wait_on_a_full_server_run_when_it_has_room(troubled: Troubled) -> None:
    """A worker cannot take them before, and does not forget those that it was told of."""
    turn = troubled.dispatch(*[("look_hard", 1)] * 8, ("look", 1))
    troubled.wait_begun(4)

    with full(troubled.server):
        next(iter(turn))

    assert [one.outcome for one in turn.gather(30)] == [Outcome.SUCCEEDED] * 9
