"""The probe: a worker that takes no messages any more exits; every other one is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
import redis

from tests.worker import tools_deaf
from tests.worker.caller import Caller, outcomes
from tests.worker.running import Start
from toolferry import Lane, Registry
from toolferry_ledger import Settings
from toolferry_worker.replacement import EX_DEAF

SOON = {"TOOLFERRY_PROBE_SECONDS": "1"}


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the tools."""
    caller = Caller(settings, Registry.from_module(tools_deaf))
    yield caller
    caller.close()


@pytest.mark.parametrize("lane", list(Lane))
def test_a_worker_that_takes_no_messages_exits_and_says_why(start: Start, lane: Lane) -> None:
    """With a code of its own, by which whoever supervises it starts it again."""
    environment = {**SOON, "DEAF": "1"}
    worker = start(lane, concurrency=1, tools=tools_deaf.__name__, environment=environment)

    left = worker.wait_for("worker.left")

    assert "it has taken no message" in left["reason"]
    assert worker.ended() == EX_DEAF


@pytest.mark.slow
@pytest.mark.parametrize("lane", list(Lane))
def test_a_worker_that_is_idle_or_full_stays(
    caller: Caller, start: Start, client: redis.Redis, lane: Lane
) -> None:
    """Its probes come back; one without a free slot is not asked."""
    tools = tools_deaf.__name__
    worker = start(lane, concurrency=1, tools=tools, environment=SOON).ready()
    name = "nap_loop" if lane is Lane.ASYNC else "nap"

    results = caller.run((name, {"seconds": 4}))
    probes = f"{caller.settings.namespace}.probe."
    server: Any = client  # whose method has no types
    with server.monitor() as commands:
        sent = (said for said in commands.listen() if f"LPUSH {probes}" in said["command"])
        assert len(list(islice(sent, 3))) == 3
    again = caller.run((name, {"seconds": 0}))

    assert outcomes([*results, *again]) == ["succeeded"] * 2
    assert not client.keys(f"{caller.settings.namespace}.probe.*")
    assert worker.stop() == 0
