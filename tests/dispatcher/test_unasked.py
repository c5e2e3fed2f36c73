"""A dispatcher without the tools' code denies what it cannot ask whom it should about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from toolferry import Extensions, FactProvider, Hooks, Interceptor, Lane, ToolCall, tool
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Catalog, Offer, Pool, Settings, write_definitions
from toolferry_ledger.cases import read_case
from toolferry_policies import Permit


@tool
async def pay(to: str) -> str:
    """Pay."""
    return to


@tool
async def look(to: str) -> str:
    """Look."""
    return to


def no_sundays(_facts: Any) -> Permit:
    """Permit."""
    return Permit()


OWNER = FactProvider("owner", lambda _facts: "ada", tools={"pay"})
HOURS = Interceptor("hours", before=no_sundays)
SUNDAYS = Hooks(pre_execute=[no_sundays], tools={"pay"})
HEARS = Extensions(
    interceptors=[Interceptor("log", after=no_sundays)], hooks=[Hooks(result=[no_sundays])]
)


@pytest.fixture
def worker(settings: Settings) -> Iterator[HandWorker]:
    """Give a worker that does nothing by itself."""
    worker = HandWorker(settings)
    yield worker
    worker.close()


def offer(worker: HandWorker, extensions: Extensions) -> None:
    """Offer the tools as a worker with extensions does."""
    worker.ledger.beat("hand", [Pool(Lane.ASYNC)], 4)
    definitions = write_definitions([pay, look], worker.signer, extensions)
    one = Offer(owner="hand", lane=Lane.ASYNC, definitions=definitions)
    Catalog(worker.ledger, worker.signer).offer(one)


def denied(settings: Settings, **given: Any) -> list[int]:
    """Call both tools with a dispatcher that has some extensions; give which were denied."""
    with Dispatcher.from_ledger(settings, policy=None, extensions=Extensions(**given)) as agent:
        calls = [ToolCall(name, name, {"to": "bob"}) for name in ("pay", "look")]
        ended = agent.dispatch(calls, turn_id="t").read_ended()
    assert {one.error.message for one in ended.values() if one.error} <= {
        "A policy could not judge this call."
    }
    return sorted(ended)


@pytest.mark.parametrize(
    ("extensions", "both"),
    [
        (Extensions(facts=[OWNER]), [0]),
        (Extensions(hooks=[SUNDAYS]), [0]),
        (Extensions(interceptors=[HOURS]), [0, 1]),
        (HEARS, []),
    ],
)
def test_what_cannot_be_asked_denies(
    settings: Settings, worker: HandWorker, extensions: Extensions, both: list[int]
) -> None:
    """The calls that it decides about; what only hears of results decides nothing."""
    offer(worker, extensions)

    assert denied(settings) == both


def test_a_dispatcher_that_has_them_asks_them(settings: Settings, worker: HandWorker) -> None:
    """By their names; its own need not be the same objects."""
    offer(worker, Extensions(facts=[OWNER], hooks=[SUNDAYS], interceptors=[HOURS]))

    found = denied(
        settings,
        facts=[FactProvider("owner", lambda _facts: "bob")],
        hooks=[Hooks(pre_execute=[no_sundays])],
        interceptors=[Interceptor("hours", before=no_sundays)],
    )

    assert found == []


def test_who_is_missing_is_told_to_operators(settings: Settings, worker: HandWorker) -> None:
    """In one sentence, with what to do."""
    offer(worker, Extensions(facts=[OWNER], hooks=[SUNDAYS]))
    denied(settings, facts=[OWNER])

    refusal = read_case(worker.ledger, worker.signer, "t:0").refusal

    assert refusal
    assert refusal.detail == (
        "calls of pay are judged by the pre_execute hook no_sundays, which this dispatcher does not"
        " have: give it as extensions"
    )
