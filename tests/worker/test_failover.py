"""Sentinels promote a replica: workers and dispatchers find it, and every call has one result."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.groups import NAME, Group
from tests.waiting import wait_until
from tests.worker.caller import TOOLS, outcomes, wait_running
from tests.worker.running import RunningWorker, Start
from toolferry import Lane, LedgerUnavailable, ToolCall
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Ledger, Settings

pytestmark = pytest.mark.slow


@pytest.fixture
def group(server_binary: Path, tmp_path: Path) -> Iterator[Group]:
    """Run three sentinels, a primary and one replica."""
    with ExitStack() as stack:
        yield Group(stack, server_binary, tmp_path / "group", replicas=1)


@pytest.fixture
def settings(group: Group) -> Settings:
    """Have all fixtures use the group."""
    return group.settings


@pytest.fixture
def workers(start: Start) -> Sequence[RunningWorker]:
    """Run one worker of each lane."""
    return [start(lane, concurrency=2).ready() for lane in Lane]


@pytest.mark.usefixtures("workers")
def test_a_turn_that_runs_while_a_replica_is_promoted_ends_once(group: Group, folder: str) -> None:
    """Both lanes and the dispatcher go on with the new primary, and so do new turns."""
    held = [
        ToolCall("c0", "held", {"folder": folder}),
        ToolCall("c1", "held_loop", {"folder": folder}),
        ToolCall("c2", "held_write", {"folder": folder}),
    ]
    with Dispatcher(TOOLS, group.settings) as dispatcher:
        turn = dispatcher.dispatch(held)
        wait_running(folder, "c0.1", "c1.1", "c2.1")
        group.fail_over()
        Path(folder, "go").touch()

        results = turn.gather(timeout=60)
        after = dispatcher.dispatch(
            [ToolCall(f"a{n}", "add", {"left": n}) for n in range(20)]
            + [ToolCall(f"e{n}", "echo", {"text": str(n)}) for n in range(20)]
        ).gather(timeout=60)

    assert outcomes(results) == ["succeeded"] * 3
    assert [result.attempts for result in results] == [1, 1, 1]
    assert outcomes(after) == ["succeeded"] * 40


@pytest.mark.usefixtures("workers")
def test_turns_go_through_while_the_primary_changes(group: Group) -> None:
    """What was accepted before, meanwhile and after: each call has one result, none is stuck."""
    turns = []
    with Dispatcher(TOOLS, group.settings) as dispatcher:
        turns += [dispatcher.dispatch(some_calls()) for _ in range(20)]
        group.primary.kill()
        refused = dispatch_until_accepted(dispatcher)
        turns += [dispatcher.dispatch(some_calls()) for _ in range(20)]
        results = [turn.gather(timeout=60) for turn in turns]

    assert refused >= 1
    assert {outcome for turn in results for outcome in outcomes(turn)} == {"succeeded"}
    assert [len(turn) for turn in results] == [4] * 40


def test_a_group_without_a_primary_is_told_in_a_sentence(group: Group) -> None:
    """The name that no sentinel knows, and sentinels that are gone."""
    strange = Settings(
        url=group.settings.url.replace(NAME, "tolls"), secret=b"s" * 32, namespace="failover"
    )
    with pytest.raises(LedgerUnavailable, match=r"no primary 'tolls'.*check the name"):
        Ledger(strange).now()
    for sentinel in group.sentinels:
        sentinel.kill()

    asked_at = time.monotonic()
    with pytest.raises(LedgerUnavailable, match="sentinels do not answer"):
        Ledger(group.settings).now()

    assert time.monotonic() - asked_at < 5


def some_calls() -> list[ToolCall]:
    """Give a turn of both lanes."""
    adds = [ToolCall(f"a{n}", "add", {"left": n}) for n in range(2)]
    return adds + [ToolCall(f"e{n}", "echo", {"text": str(n)}) for n in range(2)]


def dispatch_until_accepted(dispatcher: Dispatcher) -> int:
    """Try until the new primary takes a turn; give how often it was refused."""
    refused = []

    def accepted() -> bool:
        try:
            dispatcher.dispatch(some_calls())
        except LedgerUnavailable as error:
            refused.append(error)
            return False
        return True

    wait_until(accepted, "a dispatch")
    return len(refused)
