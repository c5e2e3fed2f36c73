"""A dispatcher without tools of its own: it offers and dispatches what workers can run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from examples.demo.site import serving
from examples.demo.tools import SITE_VARIABLE
from tests.commands import commands_of
from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import look_up, make_registry, response
from tests.waiting import wait_until
from toolferry import (
    Lane,
    LedgerUnavailable,
    Outcome,
    Registry,
    Tool,
    tool_from_json,
    tool_to_json,
)
from toolferry_console.local import local_workers, wait_ready
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_ledger import Catalog, Mismatch, Offer, Pool, Settings, write_definitions

ROOT = Path(__file__).parents[2]
OSLO = ("look_up", {"city": "Oslo"})

#: A process in which neither the tools' module nor Celery can be imported.
PROGRAM = """
import json, sys
from pathlib import Path
sys.modules["examples.demo.tools"] = None
sys.modules["celery"] = None
from toolferry_dispatcher import Dispatcher
with Dispatcher.from_ledger() as dispatcher:
    names = [tool["function"]["name"] for tool in dispatcher.schemas()]
    turn = dispatcher.dispatch(Path("examples/demo/response.json").read_text())
    results = turn.gather(timeout=60)
    outcomes = [[result.call_id, result.outcome.value] for result in results]
    print(json.dumps({"names": names, "outcomes": outcomes, "messages": len(turn.messages())}))
"""


class Offering(HandWorker):
    """A worker by hand that lives and offers tools."""

    def offer(self, *tools: Tool, owner: str = "hand") -> None:
        """Offer tools, and those only."""
        self.ledger.beat(owner, [Pool(Lane.ASYNC)], 4)
        definitions = write_definitions(tools, self.signer)
        offer = Offer(owner=owner, lane=Lane.ASYNC, definitions=definitions)
        Catalog(self.ledger, self.signer).offer(offer)


@pytest.fixture
def offering(settings: Settings) -> Iterator[Offering]:
    """Give a worker by hand that offers the sample tools."""
    worker = Offering(settings)
    worker.offer(*make_registry())
    yield worker
    worker.close()


@pytest.fixture
def live(offering: Offering) -> Iterator[Dispatcher]:
    """Give a dispatcher that has its tools from that worker."""
    with Dispatcher.from_ledger(offering.ledger.settings) as dispatcher:
        yield dispatcher


def changed(tool: Tool) -> Tool:
    """Give the definition of the next version of a tool."""
    return tool_from_json({**tool_to_json(tool), "version": "2"})


def names_of(schemas: list[dict[str, Any]]) -> list[str]:
    """Read which tools are offered."""
    return [schema["function"]["name"] for schema in schemas]


def test_the_demo_is_dispatched_where_its_tools_cannot_be_imported(settings: Settings) -> None:
    """Eight calls, eight results, and nothing of the tools' code or of Celery."""
    with serving() as site, pytest.MonkeyPatch.context() as environment:
        environment.setenv(SITE_VARIABLE, site)
        with local_workers(settings, "examples.demo.tools") as workers:
            wait_ready(settings, workers)
            wait_until(lambda: len(offered(settings)) == 6, "the demo's tools")

            ran = subprocess.run(
                [sys.executable, "-c", PROGRAM],
                env={**os.environ, **settings.environment()},
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=False,
                timeout=90,
            )

    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["names"] == sorted(told["names"])
    assert len(told["names"]) == 6
    outcomes = [outcome for _, outcome in told["outcomes"]]
    assert outcomes == ["succeeded"] * 6 + ["timed_out", "failed"]
    assert told["messages"] == 9


def offered(settings: Settings) -> list[str]:
    """Read which tools the workers of a system offer."""
    with Dispatcher.from_ledger(settings) as dispatcher:
        return names_of(dispatcher.schemas())


def test_what_live_workers_can_run_is_offered_as_they_defined_it(
    live: Dispatcher, dispatcher: Dispatcher
) -> None:
    """A model reads the same as from a dispatcher with the tools' code."""
    assert by_name(live.schemas()) == by_name(dispatcher.schemas())
    assert names_of(live.schemas(names=["look_up"])) == ["look_up"]


def test_calls_are_judged_by_the_workers_own_rules(live: Dispatcher, offering: Offering) -> None:
    """Arguments, permissions and names, all without a handler."""
    turn = live.dispatch(
        response(OSLO, ("look_up", {"city": 7}), ("cancel_order", {"order_id": 1}), ("x", {}))
    )
    offering.succeed(*offering.take())

    results = turn.gather(timeout=5)

    codes = [result.error.code if result.error else None for result in results]
    assert codes == [None, "schema", "denied", "unknown_tool"]


def test_an_ordinary_dispatch_costs_no_more_commands_than_with_tools_of_ones_own(
    live: Dispatcher, dispatcher: Dispatcher, client: redis.Redis
) -> None:
    """One script for the turn; the catalog is read beside it, and seldom."""
    own = commands_of(client, lambda: dispatcher.dispatch(response(OSLO)))
    from_ledger = commands_of(client, lambda: live.dispatch(response(OSLO)))

    assert own["evalsha"] == from_ledger["evalsha"] == 1
    assert from_ledger.keys().isdisjoint({"hgetall", "mget", "zrange"})


def test_tools_come_and_go_with_their_workers(live: Dispatcher, offering: Offering) -> None:
    """The dispatcher follows by itself, within two seconds."""
    before = live.schemas()

    offering.offer(look_up)

    wait_until(lambda: names_of(live.schemas()) == ["look_up"], "the new offer")
    assert len(before) == 3


def test_a_call_of_a_tool_whose_worker_is_being_replaced_waits_for_the_next(
    live: Dispatcher, offering: Offering
) -> None:
    """The model was offered it just before."""
    offering.offer()
    live.check()
    turn = live.dispatch(response(OSLO))

    offering.succeed(*offering.take())

    assert live.schemas() == []
    assert turn.gather(timeout=5)[0].outcome is Outcome.SUCCEEDED


def test_declared_tools_are_offered_while_no_worker_is_alive(settings: Settings) -> None:
    """Workers may scale from zero."""
    worker = HandWorker(settings)
    Catalog(worker.ledger, worker.signer).declare([look_up])
    worker.close()

    assert offered(settings) == ["look_up"]


def test_a_call_that_cannot_be_judged_by_its_definition_is_denied(
    settings: Settings, offering: Offering
) -> None:
    """A schema that this release cannot enforce lets nothing through, and its siblings run."""
    offering.offer(look_up, Tool(name="odd", lane=Lane.ASYNC, parameters={"type": "strange"}))

    with Dispatcher.from_ledger(settings) as dispatcher:
        turn = dispatcher.dispatch(response(("odd", {}), OSLO))
        offering.succeed(*offering.take())
        results = turn.gather(timeout=5)

    assert [result.outcome for result in results] == [Outcome.DENIED, Outcome.SUCCEEDED]


def test_a_system_without_workers_offers_nothing(settings: Settings) -> None:
    """And that is no error: workers may come later."""
    assert offered(settings) == []


def test_a_server_that_does_not_answer_is_told_at_once(settings: Settings) -> None:
    """A dispatcher without any tools would be of no use."""
    with pytest.raises(LedgerUnavailable):
        Dispatcher.from_ledger(replace(settings, url="unix:///nowhere.sock"))


async def test_the_asyncio_dispatcher_has_its_tools_from_the_ledger_too(
    settings: Settings, offering: Offering
) -> None:
    """Reading them never blocks the loop."""
    async with await AsyncDispatcher.from_ledger(settings) as dispatcher:
        names = names_of(dispatcher.schemas())
        turn = await dispatcher.dispatch(response(OSLO))
        offering.succeed(*offering.take())
        (result,) = await turn.gather(timeout=5)

        assert await dispatcher.check() == []

    assert names == ["cancel_order", "look_up", "write_file"]
    assert result.outcome is Outcome.SUCCEEDED


async def test_an_asyncio_dispatcher_is_told_of_a_server_that_does_not_answer(
    settings: Settings,
) -> None:
    """As the other one."""
    with pytest.raises(LedgerUnavailable):
        await AsyncDispatcher.from_ledger(replace(settings, url="unix:///nowhere.sock"))


def test_workers_that_disagree_are_named_to_a_dispatcher_without_tools(
    live: Dispatcher, offering: Offering
) -> None:
    """It offers one of the two versions, and says whose the other is."""
    offering.offer(changed(look_up), owner="second")

    (found,) = live.check()

    assert found.tool == "look_up"
    assert {found.digest, found.offered} == {look_up.digest, changed(look_up).digest}


@pytest.mark.usefixtures("offering")
def test_a_difference_between_dispatcher_and_worker_is_named_at_the_first_dispatch(
    settings: Settings,
) -> None:
    """One line with both digests and the worker; the call goes its way."""
    with Dispatcher(Registry([changed_with_handler()]), settings) as own, capture_logs() as logs:
        own.dispatch(response(OSLO))
        own.dispatch(response(OSLO))
        wait_until(lambda: mismatches_in(logs), "the difference")

    (line,) = mismatches_in(logs)
    assert (line["tool"], line["worker"]) == ("look_up", "hand")
    assert (line["digest"], line["offered"]) == (changed(look_up).digest, look_up.digest)


@pytest.mark.usefixtures("offering")
def test_each_difference_is_told_once_however_often_one_asks(settings: Settings) -> None:
    """`check` gives all of them each time, also tools that no worker has."""
    extra = Tool(name="extra", lane=Lane.ASYNC, handler=nothing)

    with Dispatcher(Registry([look_up, extra]), settings) as own, capture_logs() as logs:
        found = [own.check(), own.check()]

    assert found == [[Mismatch("extra", extra.digest, None)]] * 2
    assert [line["tool"] for line in mismatches_in(logs)] == ["extra"]


def test_a_dispatch_is_not_harmed_by_a_catalog_that_cannot_be_read(
    settings: Settings, client: redis.Redis
) -> None:
    """What is only told to people never stands in the way of a call."""
    client.set(f"{settings.key_prefix}offers", "no hash")
    worker = HandWorker(settings)

    with Dispatcher(make_registry(), settings) as own:
        turn = own.dispatch(response(OSLO))
        worker.succeed(*worker.take())

        assert turn.gather(timeout=5)[0].outcome is Outcome.SUCCEEDED
    worker.close()


def mismatches_in(logs: list[Any]) -> list[Any]:
    """Give the lines of the log that name one."""
    return [line for line in logs if line["event"] == "catalog.mismatch"]


async def nothing() -> None:
    """Do nothing."""


def changed_with_handler() -> Tool:
    """Give the next version of a tool with its code."""
    return replace(look_up, version="2")


def by_name(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Read what is said of each tool."""
    return {schema["function"]["name"]: schema for schema in schemas}
