"""Two releases of the same tools at once: every call runs where it fits, or not at all."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tests.waiting import wait_until
from tests.worker import tools_first, tools_second
from tests.worker.caller import Caller, wait_running
from tests.worker.running import Start
from toolferry import Lane, Registry, Tool, ToolCall, ToolResult
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Catalog, Ledger, Settings, Signer

FIRST, SECOND = tools_first.__name__, tools_second.__name__


class Agent:
    """An agent with tools of its own."""

    def __init__(self, settings: Settings, registry: Registry) -> None:
        self.dispatcher = Dispatcher(registry, settings)

    def run(self, *calls: tuple[str, dict[str, Any]]) -> list[ToolResult]:
        """Have calls run and wait for their results."""
        named = [ToolCall(f"c{at}", name, given) for at, (name, given) in enumerate(calls)]
        return self.dispatcher.dispatch(named).gather(timeout=30)


@pytest.fixture
def agents(settings: Settings) -> Iterator[tuple[Agent, Agent]]:
    """Give an agent of each release."""
    releases = (Registry.from_module(one) for one in (tools_first, tools_second))
    first, second = (Agent(settings, registry) for registry in releases)
    yield first, second
    first.dispatcher.close()
    second.dispatcher.close()


@pytest.fixture
def ledger(settings: Settings) -> Iterator[Ledger]:
    """Give the ledger of the system."""
    ledger = Ledger(settings)
    yield ledger
    ledger.close()


def contents(results: Sequence[ToolResult]) -> list[Any]:
    """List what handlers returned."""
    return [result.content for result in results]


def test_two_workers_with_the_same_tool_and_different_schemas(
    start: Start, agents: tuple[Agent, Agent]
) -> None:
    """The second names the difference; each call runs where it fits, with its first attempt."""
    start(Lane.ASYNC, tools=FIRST).ready()
    second = start(Lane.ASYNC, tools=SECOND).ready()

    told = second.wait_for("catalog.mismatch", tool="convert")
    one = [agents[0].run(("convert", {"amount": n})) for n in range(6)]
    two = [agents[1].run(("convert", {"amount": n, "currency": "NOK"})) for n in range(6)]

    assert told["digest"] == tools_second.convert.digest
    assert told["offered"] == tools_first.convert.digest
    assert [contents(results) for results in one] == [[["first", n, 1]] for n in range(6)]
    assert [contents(results) for results in two] == [[["second", n, "NOK", 1]] for n in range(6)]


def test_a_call_for_a_schema_that_no_worker_has_is_not_run(
    start: Start, agents: tuple[Agent, Agent]
) -> None:
    """It is answered soon, and not at its deadline; so is one for a tool that is gone."""
    worker = start(Lane.ASYNC, tools=SECOND).ready()

    results = agents[0].run(("convert", {"amount": 1}), ("dropped", {}))

    errors = [result.error.code if result.error else None for result in results]
    assert errors == ["tool_changed", "tool_changed"]
    assert {(result.outcome, result.effect) for result in results} == {("failed", "none")}
    assert all(result.finished_at - result.requested_at < 20 for result in results)
    assert worker.stop() == 0
    assert not [line for line in worker.lines if "attempt.failed" in line]


@pytest.mark.slow
def test_a_tool_that_only_the_other_worker_knows_is_run_there(
    start: Start, agents: tuple[Agent, Agent]
) -> None:
    """Whoever takes the notice first."""
    start(Lane.ASYNC, tools=FIRST).ready()
    start(Lane.ASYNC, tools=SECOND).ready()

    results = agents[0].run(*[("dropped", {})] * 12)

    assert contents(results) == [["first", 1]] * 12


def test_a_process_worker_ends_a_call_for_another_schema_too(shared: Caller) -> None:
    """Its children read the catalog for themselves."""
    registry = Registry()
    registry.declare(Tool(name="add", lane=Lane.PROCESS, version="2"))
    agent = Agent(shared.settings, registry)

    (result,) = agent.run(("add", {}))
    agent.dispatcher.close()

    assert result.error is not None
    assert (result.error.code, result.effect) == ("tool_changed", "none")


def test_a_worker_that_drains_offers_nothing_more(
    start: Start, caller: Caller, ledger: Ledger, folder: str
) -> None:
    """It still runs what it runs, and its lease goes on."""
    catalog = Catalog(ledger, Signer(ledger.settings.secret))
    worker = start(Lane.ASYNC).ready()
    (offer,) = catalog.read().live
    caller.submit(("held_loop", {"folder": folder}))
    wait_running(folder, "c0.1")

    worker.send(signal.SIGTERM)
    wait_until(lambda: not catalog.read().live, "the withdrawal")

    (view,) = ledger.overview().workers
    assert (view.owner, view.running) == (offer.owner, 1)
    assert view.lease_seconds > 0


def test_a_worker_offers_the_tools_of_its_lane_only(shared: Caller) -> None:
    """Though the module has those of both."""
    offers = Catalog(shared.ledger, Signer(shared.settings.secret)).read().live

    tools = {offer.lane: {"echo", "add"} & offer.tools.keys() for offer in offers}
    assert tools == {Lane.ASYNC: {"echo"}, Lane.PROCESS: {"add"}}
