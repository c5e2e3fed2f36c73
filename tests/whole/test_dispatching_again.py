"""Idempotent dispatch: a turn id stands for one turn, whoever dispatches it, however often."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
import redis

from tests.waiting import wait_until
from tests.whole.cases.scenario import journal, note, workers
from toolferry import (
    Context,
    EffectClass,
    Lane,
    Outcome,
    Registry,
    ToolCall,
    ToolContext,
    call_key,
    tool,
)
from toolferry_dispatcher import Dispatcher, TurnConflict
from toolferry_ledger import Bell, Ledger, Pool, Ring, Route, Settings, queue_name

#: Processes that dispatch the same turns at once, and how many turns.
CROWD: Final = 8
TURNS: Final = 60
_SPAWN: Final = multiprocessing.get_context("spawn")


@tool(effect=EffectClass.WRITE)
async def write(path: str, ctx: ToolContext) -> str:
    """Write a line, which must not happen twice."""
    note(path, ctx.call_key)
    return ctx.call_key


TOOLS: Final = Registry([write])


def calls_of(path: Path, count: int = 2) -> list[ToolCall]:
    """Give the calls of a turn."""
    return [ToolCall(f"c{at}", "write", {"path": str(path)}) for at in range(count)]


def dispatch_all(settings: Settings, path: Path, barrier: Any, turns: Sequence[str]) -> list[str]:
    """Dispatch turns together with the others, and give what came of all calls."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        barrier.wait()
        handles = [dispatcher.dispatch(calls_of(path), turn_id=turn) for turn in turns]
        return [result.content for handle in handles for result in handle.gather(timeout=60)]


def dispatch_until_killed(settings: Settings, path: Path) -> None:
    """Dispatch turn after turn, and note which was begun."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        for number in range(100_000):
            note(f"{path}.begun", number)
            dispatcher.dispatch(calls_of(path), turn_id=f"t{number}")


class LastBell(Bell):
    """Ends its process when it is to be rung."""

    def ring(self, rings: Sequence[Ring]) -> bool:
        """Die, the turn being written and no notice of it published."""
        os.kill(os.getpid(), signal.SIGKILL)
        return False


def dispatch_and_die(settings: Settings, path: Path) -> None:
    """Dispatch a turn and die between the record and its notice."""
    with Dispatcher(TOOLS, settings) as dispatcher:
        dispatcher._core.bell = LastBell(settings)  # noqa: SLF001 -- no one else can die there
        dispatcher.dispatch(calls_of(path), turn_id="t")


def killed(target: Callable[[Settings, Path], None], settings: Settings, path: Path) -> Any:
    """Start a process that does not end in the ordinary way."""
    process = _SPAWN.Process(target=target, args=(settings, path), daemon=True)
    process.start()
    return process


@pytest.fixture
def staffed(settings: Settings) -> Iterator[Settings]:
    """Run a worker of the test's own system."""
    with workers(settings, Lane.ASYNC, tools=__name__):
        yield settings


@pytest.mark.slow
def test_eight_processes_that_dispatch_the_same_turns_share_them(
    staffed: Settings, tmp_path: Path
) -> None:
    """Each call runs once, and all eight get the same results."""
    path, turns = tmp_path / "journal", [f"t{number}" for number in range(TURNS)]
    with _SPAWN.Manager() as manager, ProcessPoolExecutor(CROWD, _SPAWN) as pool:
        barrier = manager.Barrier(CROWD)
        asked = [pool.submit(dispatch_all, staffed, path, barrier, turns) for _ in range(CROWD)]
        told = [future.result(timeout=60) for future in asked]

    wanted = [call_key(turn, at) for turn in turns for at in range(2)]
    assert told == [wanted] * CROWD
    assert sorted(key for (key,) in journal(path)) == sorted(wanted)


@pytest.mark.slow
def test_turns_of_a_killed_dispatcher_go_on_with_another(staffed: Settings, tmp_path: Path) -> None:
    """Killed again and again in the middle: what was written is attached to, the rest is new."""
    path, begun = tmp_path / "journal", tmp_path / "journal.begun"
    for _ in range(5):
        before = len(journal(begun))
        process = killed(dispatch_until_killed, staffed, path)
        wait_until(lambda: len(journal(begun)) > before + 20, "some turns")  # noqa: B023 -- at once
        process.kill()
        process.join()
    turns = [f"t{number}" for number in sorted({int(number) for (number,) in journal(begun)})]

    with Dispatcher(TOOLS, staffed) as dispatcher:
        handles = [dispatcher.dispatch(calls_of(path), turn_id=turn) for turn in turns]
        results = [result for handle in handles for result in handle.gather(timeout=60)]

    wanted = [call_key(turn, at) for turn in turns for at in range(2)]
    assert [result.content for result in results] == wanted
    assert sorted(key for (key,) in journal(path)) == sorted(wanted)


@pytest.mark.slow
def test_a_dispatcher_that_died_before_the_notice_is_made_up_for(
    settings: Settings, client: redis.Redis, tmp_path: Path
) -> None:
    """Over another broker a record and its notice can be parted; the turn runs all the same."""
    path = tmp_path / "journal"
    elsewhere = replace(settings, broker_url=settings.url.replace("db=0", "db=1"))
    process = killed(dispatch_and_die, elsewhere, path)
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert client.llen(queue_name(elsewhere.namespace, Route(Pool(Lane.ASYNC)))) == 0

    with (
        workers(elsewhere, Lane.ASYNC, tools=__name__),
        Dispatcher(TOOLS, elsewhere) as dispatcher,
    ):
        ready_at = time.time()
        results = dispatcher.dispatch(calls_of(path), turn_id="t").gather(timeout=30)

    assert {result.outcome for result in results} == {Outcome.SUCCEEDED}
    assert max(result.finished_at for result in results) - ready_at < 15
    assert len(journal(path)) == len(results)


def test_a_turn_id_of_other_calls_is_a_conflict_and_changes_nothing(
    settings: Settings, tmp_path: Path
) -> None:
    """Other arguments, another order, fewer or more calls, other ids, another customer."""
    path, calls = tmp_path / "journal", calls_of(tmp_path / "journal")
    others = [calls_of(tmp_path / "other"), calls[::-1], calls[:1], calls_of(path, 3)]
    others.append([replace(call, call_id=f"d{call.call_id}") for call in calls])
    with Dispatcher(TOOLS, settings) as dispatcher:
        turn = dispatcher.dispatch(calls, turn_id="t")
        for other in others:
            with pytest.raises(TurnConflict, match="give the same again to go on with that turn"):
                dispatcher.dispatch(other, turn_id="t")

        for somebody in (Context(tenant="other"), Context(principal="other")):
            with pytest.raises(TurnConflict, match="or for those of somebody else"):
                dispatcher.dispatch(calls, turn_id="t", context=somebody)

        assert dispatcher.dispatch(calls, turn_id="t").meta == turn.meta
    ledger = Ledger(settings)
    assert ledger.inspect_call(call_key("t", 2)) is None
    ledger.close()
