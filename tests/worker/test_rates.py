"""Rates on real workers: calls over theirs wait, start in their turn, and keep their deadline."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.worker.running import Start
from toolferry import Context, Lane, Outcome, Rate, Registry, ToolCall, ToolResult, tool
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import SWEEP_EVERY, Settings

PER = 0.3


@tool(rate=Rate(3, PER, "gate:{context.tenant}"))
async def pass_gate(number: int) -> int:
    """Start at most three times in a while, for each tenant."""
    return number


@tool(rate=Rate(3, PER, "door:{context.tenant}"))
def pass_door(number: int) -> int:
    """Start at most three times in a while, in a process."""
    return number


@tool(rate=Rate(1, 3600), timeout=1, deadline=1.5)
async def pass_once(number: int) -> int:
    """Start once an hour."""
    return number


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher for the tools of this file."""
    with Dispatcher(Registry([pass_gate, pass_door, pass_once]), settings) as dispatcher:
        yield dispatcher


def calls(name: str, count: int) -> list[ToolCall]:
    """Write so many calls."""
    return [ToolCall(f"c{number}", name, {"number": number}) for number in range(count)]


def starts(results: list[ToolResult]) -> list[float]:
    """Give when each started, by the server's clock."""
    assert [result.outcome for result in results] == [Outcome.SUCCEEDED] * len(results)
    return [result.started_at or 0.0 for result in results]


@pytest.mark.parametrize(
    ("lane", "name"),
    [(Lane.ASYNC, "pass_gate"), pytest.param(Lane.PROCESS, "pass_door", marks=pytest.mark.slow)],
)
def test_calls_start_at_their_rate_and_in_their_turn(
    dispatcher: Dispatcher, start: Start, lane: Lane, name: str
) -> None:
    """No stretch of its time sees more, and those that came first go first."""
    start(lane, concurrency=2, tools=__name__).ready()
    other = dispatcher.dispatch(calls(name, 3), context=Context(tenant="other"))

    began = starts(dispatcher.dispatch(calls(name, 9)).gather(timeout=30))
    starts(other.gather(timeout=30))

    times, threes = sorted(began), [began[at : at + 3] for at in (0, 3, 6)]
    assert all(later - earlier >= PER for earlier, later in zip(times, times[3:], strict=False))
    assert all(max(one) <= min(next_) for one, next_ in pairwise(threes))


@pytest.mark.slow
def test_a_call_that_waited_too_long_for_its_rate_says_so(
    dispatcher: Dispatcher, start: Start
) -> None:
    """Deadlines hold, and the sentence names the rate."""
    start(Lane.ASYNC, concurrency=2, tools=__name__).ready()

    first, second = dispatcher.dispatch(calls("pass_once", 2)).gather(timeout=30)

    assert (first.outcome, second.outcome) == (Outcome.SUCCEEDED, Outcome.TIMED_OUT)
    assert second.error is not None
    assert second.error.message == (
        "pass_once did not start within its deadline of 1.5 s: no more than 1 calls for pass_once"
        " may start in 3600 s."
    )


@pytest.mark.slow
@pytest.mark.parametrize(("lane", "name"), [(Lane.ASYNC, "pass_gate"), (Lane.PROCESS, "pass_door")])
def test_a_call_starts_as_soon_as_its_rate_has_room(
    dispatcher: Dispatcher, start: Start, lane: Lane, name: str
) -> None:
    """Whoever finds no room has its worker look again then, and not with its next sweep."""
    start(lane, concurrency=2, tools=__name__).ready()

    late = []
    for number in range(4):
        tenant = Context(tenant=f"t{number}")
        began = sorted(starts(dispatcher.dispatch(calls(name, 4), context=tenant).gather(30)))
        late.append(began[3] - began[0] - PER)

    # A machine that is busy with something else may be late by itself, but not each time.
    assert min(late) < SWEEP_EVERY / 4
