"""This release beside the one before it: workers, dispatchers and records of both, either way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.upgrade import upgrade_tools
from tests.upgrade.turns import SOMEBODY, calls_of, contents_of
from tests.worker.running import ROOT, RunningWorker, Start
from toolferry import Lane, Outcome, Registry, ToolCall
from toolferry_dispatcher import Dispatcher, TurnConflict, TurnHandle, result_tools
from toolferry_ledger import Settings

pytestmark = pytest.mark.slow

OLD = Path(__file__).parents[1] / "data" / "releases" / "toolferry-0.1.0-py3-none-any.whl"
#: Python takes a package from there before it looks at what is installed.
AS_OLD = {"PYTHONPATH": str(OLD)}
TOOLS = upgrade_tools.__name__


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher of this release."""
    with Dispatcher(Registry.from_module(upgrade_tools), settings) as dispatcher:
        yield dispatcher


@pytest.fixture
def start(settings: Settings) -> Iterator[Start]:
    """Start workers; what still runs at the end is killed."""
    started: list[RunningWorker] = []

    def start_one(lane: Lane, **options: Any) -> RunningWorker:
        # The release before knows no other command than the `celery` program's.
        started.append(
            RunningWorker(settings, lane, tools=TOOLS, application="toolferry_worker", **options)
        )
        return started[-1]

    yield start_one
    for worker in started:
        worker.finish_off()


def start_both(start: Start, environment: dict[str, str] | None = None) -> list[RunningWorker]:
    """Start one worker of each lane and wait until they take calls."""
    workers = [start(lane, environment=environment) for lane in Lane]
    return [worker.ready() for worker in workers]


def run_old_agent(settings: Settings, turns: int, *attach: str) -> dict[str, Any]:
    """Have an agent of the old release work, and give what it got."""
    environment = {**os.environ, **settings.environment(), **AS_OLD}
    done = subprocess.run(
        [sys.executable, "-m", "tests.upgrade.old_agent", str(turns), *attach],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
        timeout=90,
    )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def check(turns: list[TurnHandle]) -> None:
    """Require of every turn the results that it must have."""
    for number, turn in enumerate(turns):
        results = turn.gather(timeout=60)
        assert [result.content for result in results] == contents_of(number)
        assert {result.outcome for result in results} == {Outcome.SUCCEEDED}


def test_the_frozen_release_is_really_another_one() -> None:
    """A process that is told to is of the old release, from which the tree has moved on."""
    program = "import toolferry_ledger as l; print(l.__file__, hasattr(l, 'Canceller'))"

    told = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **AS_OLD},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout.split()

    assert told == [f"{OLD}/toolferry_ledger/__init__.py", "False"]


def test_workers_are_replaced_one_by_one_under_load(start: Start, dispatcher: Dispatcher) -> None:
    """Old ones run what new dispatchers write, new ones take over what is left: nothing is lost."""
    old = start_both(start, AS_OLD)
    turns = [dispatcher.dispatch(calls_of(number)) for number in range(100)]
    start_both(start)
    for worker in old:
        turns += [dispatcher.dispatch(calls_of(n)) for n in range(len(turns), len(turns) + 50)]
        worker.stop()

    check(turns)


def test_going_back_to_the_old_release_loses_nothing_either(
    start: Start, dispatcher: Dispatcher
) -> None:
    """What new workers and dispatchers have written, old workers read."""
    new = start_both(start)
    turns = [dispatcher.dispatch(calls_of(number)) for number in range(100)]
    start_both(start, AS_OLD)
    for worker in new:
        turns += [dispatcher.dispatch(calls_of(n)) for n in range(len(turns), len(turns) + 50)]
        worker.stop()

    check(turns)


def test_an_old_agent_has_its_calls_run_by_new_workers(
    start: Start, settings: Settings, dispatcher: Dispatcher
) -> None:
    """It gathers what it dispatched and what others did; others gather what it dispatched."""
    start_both(start)
    ours = dispatcher.dispatch(calls_of(1), turn_id="ours")

    told = run_old_agent(settings, 50, ours.turn_id)

    assert told["dispatched"] == [contents_of(number) for number in range(50)]
    assert told["attached"] == [contents_of(1)]
    check([dispatcher.attach(f"old-{number}") for number in range(50)])


def test_a_turn_of_an_old_agent_can_be_dispatched_again(
    start: Start, settings: Settings, dispatcher: Dispatcher
) -> None:
    """Under its id, as after a restart as the new release; other calls are a conflict still."""
    start_both(start)
    run_old_agent(settings, 0)

    again = dispatcher.dispatch(calls_of(0), turn_id="old-named", context=SOMEBODY)

    assert [result.content for result in again.gather(timeout=30)] == contents_of(0)
    with pytest.raises(TurnConflict):
        dispatcher.dispatch(calls_of(1), turn_id="old-named", context=SOMEBODY)


def test_what_the_old_release_has_cut_is_read_as_ever_and_has_no_more(
    start: Start, dispatcher: Dispatcher
) -> None:
    """Its workers keep no artifacts: a call that reads on waits for a new one, and is told so."""
    dispatcher.registry.register_all(result_tools())
    old = start(Lane.ASYNC, environment=AS_OLD).ready()
    turn = dispatcher.dispatch([ToolCall("c", "recite", {"length": 500})])
    [cut] = turn.gather(30)
    old.stop()
    start(Lane.ASYNC).ready()

    page = ToolCall("r", "result.read", {"cursor": f"{turn.turn_id}:0"})
    [refused] = dispatcher.dispatch([page]).gather(30)

    assert (cut.content, cut.truncated, cut.next_cursor) == ("x" * 100, True, None)
    assert refused.error is not None
    assert refused.error.code == "no_such_result"


def test_an_old_agent_reads_what_a_new_worker_has_cut(
    start: Start, settings: Settings, dispatcher: Dispatcher
) -> None:
    """And a new one reads on."""
    dispatcher.registry.register_all(result_tools())
    start_both(start)
    turn = dispatcher.dispatch([ToolCall("c", "recite", {"length": 500})], turn_id="ours")
    [cut] = turn.gather(30)

    told = run_old_agent(settings, 0, "ours")
    page = ToolCall("r", "result.read", {"cursor": cut.next_cursor})
    [rest] = dispatcher.dispatch([page]).gather(30)

    assert told["attached"] == [["x" * 100]]
    assert rest.content == "x" * 400
