"""What people are told of a call that waits for a limit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.dispatcher.hand_worker import HandWorker
from toolferry import Concurrency, Rate, Registry, ToolCall, tool
from toolferry_console.explaining import clock, explain_case, explanation_lines
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Settings
from toolferry_ledger.cases import CallCase, read_case


@tool(rate=Rate(2, 60, "mail:{to}"))
async def mail(to: str) -> str:
    """Mail."""
    return to


@tool(concurrency=Concurrency(1))
async def dig(to: str) -> str:
    """Dig."""
    return to


@pytest.fixture
def worker(settings: Settings) -> Iterator[HandWorker]:
    """Give a worker that does nothing by itself."""
    worker = HandWorker(settings)
    yield worker
    worker.close()


def waits(case: CallCase) -> str:
    """Give the line that tells what a call waits for."""
    lines = explanation_lines(explain_case(case, None))
    return next(line.strip() for line in lines if "wait" in line)


def test_a_call_over_its_rate_is_told_which_and_about_until_when(
    settings: Settings, worker: HandWorker
) -> None:
    """How many per how long; each two calls before it make it a minute later."""
    with Dispatcher(Registry([mail]), settings, policy=None) as dispatcher:
        dispatcher.dispatch(
            [ToolCall(str(n), "mail", {"to": "ann"}) for n in range(6)], turn_id="t"
        )
        claims = worker.take()
        worker.take()  # those that the first ones let out

    cases = [read_case(worker.ledger, worker.signer, f"t:{at}") for at in range(6)]

    begun = claims[0].started_at
    due = [case.waits_until for case in cases]
    assert due[:2] == [None, None]
    assert [round((at or 0) - begun) for at in due[2:]] == [60, 60, 120, 120]
    assert waits(cases[5]) == (
        "waits: no more than 2 calls for mail:ann may start in 60 s; it may go on about"
        f" {clock(due[5])}"
    )


def test_a_call_over_its_limit_or_behind_another_is_told_so(
    settings: Settings, worker: HandWorker
) -> None:
    """Nobody knows until when."""
    with Dispatcher(Registry([dig]), settings, policy=None) as dispatcher:
        dispatcher.dispatch([ToolCall(str(n), "dig", {"to": "x"}) for n in range(2)], turn_id="t")
        worker.take()

    case = read_case(worker.ledger, worker.signer, "t:1")

    assert waits(case) == "waits: no more than 1 calls for dig may run at once"


@pytest.mark.parametrize("odd", ["rate:x", "rate:0/0:", "rate:9999999/5:k", "limit:", "rate:1/2"])
def test_what_no_dispatcher_writes_breaks_nothing(
    settings: Settings, worker: HandWorker, odd: str
) -> None:
    """A record may hold anything."""
    with Dispatcher(Registry([dig]), settings, policy=None) as dispatcher:
        dispatcher.dispatch([ToolCall("c", "dig", {"to": "x"})], turn_id="t")
    worker.ledger.client.hset(f"{settings.key_prefix}call:t:0", "waits_for", odd)

    case = read_case(worker.ledger, worker.signer, "t:0")

    assert odd in waits(case)
