"""Children that are replaced by the number of their calls and by their memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.worker import tools_limits
from tests.worker.caller import Caller, outcomes
from tests.worker.running import Start
from toolferry import ConfigurationError, Lane, Registry
from toolferry_ledger import Settings
from toolferry_worker.wear import max_memory_per_child, max_stuck, max_tasks_per_child


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the tools of the limits."""
    caller = Caller(settings, Registry.from_module(tools_limits))
    yield caller
    caller.close()


@pytest.mark.slow
def test_a_child_is_replaced_after_so_many_calls_and_none_is_lost(
    caller: Caller, start: Start
) -> None:
    """Each call runs on its first attempt, none waits for the reaper, no child runs three."""
    environment = {"TOOLFERRY_MAX_TASKS_PER_CHILD": "2"}
    tools = tools_limits.__name__
    start(Lane.PROCESS, concurrency=2, tools=tools, environment=environment).ready()

    results = caller.run(*[("echo_child", {})] * 20)

    assert outcomes(results) == ["succeeded"] * 20
    assert {result.attempts for result in results} == {1}
    pids = [result.content for result in results]
    assert max(map(pids.count, pids)) <= 2


@pytest.mark.slow
def test_a_child_that_has_grown_too_large_is_replaced(caller: Caller, start: Start) -> None:
    """After the call with which it did."""
    environment = {"TOOLFERRY_MAX_MEMORY_PER_CHILD": "300000"}
    tools = tools_limits.__name__
    start(Lane.PROCESS, concurrency=1, tools=tools, environment=environment).ready()

    pids = [caller.run(("grow", {"megabytes": size}))[0].content for size in (1, 400, 1)]

    assert pids[0] == pids[1] != pids[2]


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5", "²"])
def test_a_setting_that_makes_no_sense_is_refused(text: str) -> None:
    """With its name."""
    with pytest.raises(ConfigurationError, match="TOOLFERRY_MAX_TASKS_PER_CHILD"):
        max_tasks_per_child({"TOOLFERRY_MAX_TASKS_PER_CHILD": text})


def test_settings_that_are_empty_count_as_not_set() -> None:
    """As all others do."""
    empty = {"TOOLFERRY_MAX_STUCK": "", "TOOLFERRY_MAX_MEMORY_PER_CHILD": ""}

    assert (max_stuck(10, empty), max_memory_per_child(empty)) == (5, None)
