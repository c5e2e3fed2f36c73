"""A turn that waits for people can be told from one that runs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.waiting import PATIENCE, wait_until
from toolferry import EffectClass, Outcome, Registry, ToolCall, tool
from toolferry_dispatcher import Approver, AsyncDispatcher, Dispatcher, TurnState
from toolferry_ledger import Settings

ANN = Approver("ann", verified=True)


@tool(effect=EffectClass.WRITE, confirm=True, display="Write {path}", resource="file:{path}")
async def write(path: str) -> None:
    """Write a file, when a person says so."""


@tool
async def look() -> None:
    """Look."""


@tool(effect=EffectClass.WRITE, resource="file:{path}")
async def save(path: str) -> None:
    """Write a file, whatever people say."""


TOOLS = Registry([write, look, save])
CALLS = [ToolCall(f"call_{at}", "write", {"path": "a.txt"}) for at in range(2)]
LOOK = ToolCall("call_2", "look", {})


@pytest.fixture
def worker(settings: Settings) -> Iterator[HandWorker]:
    """Give a worker that does nothing by itself."""
    worker = HandWorker(settings)
    yield worker
    worker.close()


def end_next(worker: HandWorker) -> None:
    """End the next call well that comes."""
    worker.succeed(*wait_until(worker.take, "a call"))


def test_a_turn_whose_calls_all_wait_for_people_says_so_at_once(settings: Settings) -> None:
    """Also those that stand in line behind such a one; each is asked about."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        turn = dispatcher.dispatch(CALLS)

        asked = turn.wait_approvals()

        assert [one.call_key for one in asked] == [f"{turn.turn_id}:0", f"{turn.turn_id}:1"]
        assert {one.preview for one in asked} == {"Write a.txt"}
        assert turn.state is TurnState.PENDING


def test_a_turn_with_a_call_that_runs_is_waited_for(settings: Settings) -> None:
    """When the time is over it gives what is asked by then."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        turn = dispatcher.dispatch([*CALLS, LOOK])

        asked = turn.wait_approvals(0.2)

        assert len(asked) == 2
        assert not turn.look().is_still
        turn.cancel()


def test_a_turn_about_which_all_is_decided_asks_nothing(settings: Settings) -> None:
    """It is complete, or its calls go on."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        turn = dispatcher.dispatch(CALLS)
        for one in turn.wait_approvals():
            dispatcher.approvals.deny(one.call_key, ANN, "No")

        assert turn.wait_approvals(5) == ()
        assert turn.state is TurnState.COMPLETE
        assert [one.outcome for one in turn.gather(5)] == [Outcome.DENIED] * 2


def test_a_turn_that_waits_for_a_call_of_another_turn_is_waited_for(
    settings: Settings, worker: HandWorker
) -> None:
    """It goes on when that one has ended, without a person; then it waits for people only."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher.dispatch(ToolCall("other", "save", {"path": "b.txt"}))
        [other] = worker.take()
        turn = dispatcher.dispatch([CALLS[0], ToolCall("own", "save", {"path": "b.txt"})])
        before = turn.look()

        worker.succeed(other)
        ending = threading.Thread(target=end_next, args=[worker])
        ending.start()
        asked = turn.wait_approvals(PATIENCE)
        ending.join()

        assert (before.is_still, before.waits_elsewhere) == (False, True)
        assert [one.call_key for one in asked] == [f"{turn.turn_id}:0"]
        assert turn.watch.ended == {1}
        turn.cancel()


def test_a_turn_that_waits_for_one_that_waits_for_people_is_still(settings: Settings) -> None:
    """Somebody has to decide about that one first; nothing goes on before."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher.dispatch(CALLS[0])
        turn = dispatcher.dispatch([ToolCall("own", "save", {"path": "a.txt"}), CALLS[1]])

        asked = turn.wait_approvals(PATIENCE)

        assert [one.call_key for one in asked] == [f"{turn.turn_id}:1"]
        turn.cancel()


async def test_an_event_loop_waits_for_people_too(settings: Settings) -> None:
    """For decisions that are made while it waits."""
    async with AsyncDispatcher(TOOLS, settings) as dispatcher:
        turn = await dispatcher.dispatch(CALLS[:1])
        [asked] = await turn.wait_approvals()
        assert await turn.approvals() == (asked,)

        gathering = asyncio.create_task(turn.gather(20))
        await asyncio.to_thread(dispatcher.approvals.deny, asked.call_key, ANN)

        [result] = await gathering
        assert result.outcome is Outcome.DENIED
        assert await turn.wait_approvals() == ()
