"""Cases 28 and 32: turns that are withdrawn while a call of theirs runs and others wait."""

from __future__ import annotations

import copy
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.whole.cases.scenario import MODULES, journal, load_case, word_of, workers
from tests.whole.cases.test_turns import calling
from toolferry import Lane, load_tools
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Keeping, Settings


@pytest.fixture
def quick(settings: Settings) -> Settings:
    """Give a system of its own in which a dead worker is noticed soon."""
    return replace(settings, keeping=Keeping(lease=1.0))


@pytest.fixture
def dispatcher(quick: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher of that system."""
    with Dispatcher(load_tools(MODULES), quick) as dispatcher:
        yield dispatcher


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_what_was_cancelled_before_it_began_never_begins(
    dispatcher: Dispatcher, quick: Settings, tmp_path: Path, number: signal.Signals
) -> None:
    """Case 28: also when its worker is stopped, by force or in order, and another one comes."""
    _, expect = load_case("28-revoke")
    path = tmp_path / "journal"
    with workers(quick, Lane.PROCESS, tools=MODULES, slots=1) as (worker,):
        writes = [(f"c{at}", "hold", {"journal": str(path)}) for at in range(3)]
        turn = dispatcher.dispatch(calling(*writes))
        wait_until(lambda: journal(path), "the first call")
        worker.send(number)
        turn.cancel("the user left")
        worker.ended()
    with workers(quick, Lane.PROCESS, tools=MODULES):
        results = turn.gather(timeout=60)

    assert len(journal(path)) - 1 == expect["started_after_cancel"]
    for result, words in zip(results, expect["outcomes"], strict=True):
        assert word_of(result) in words.split(" or ")


def test_a_cancelled_turn_still_answers_every_call(
    dispatcher: Dispatcher, quick: Settings, tmp_path: Path
) -> None:
    """Case 32: each in words of what is known of its effect, before what the user says next."""
    scenario, _ = load_case("32-cancelled-turn-orphans")
    ids = list(scenario["states"])
    path = tmp_path / "journal"
    response = calling(
        (ids[0], "hold", {"journal": str(path)}), (ids[1], "hold", {"journal": str(path)})
    )
    stored = copy.deepcopy(response)
    with workers(quick, Lane.PROCESS, tools=MODULES, slots=1) as (worker,):
        turn = dispatcher.dispatch(response)
        wait_until(lambda: journal(path), "the first call")
        turn.cancel("the user left")
        worker.kill()
        request = [*turn.messages(timeout=60), {"role": "user", "content": "never mind"}]

    assistant, interrupted, unstarted, user = request
    assert assistant["role"] == "assistant"
    assert [message["tool_call_id"] for message in (interrupted, unstarted)] == ids
    assert "may or may not have h" in interrupted["content"]
    assert "before it was started" in unstarted["content"]
    assert user["content"] == "never mind"
    assert response == stored
