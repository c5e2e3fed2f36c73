"""A tool that fails all the time rests, is tried again after a while, and goes on when it works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.worker import tools_breaker
from tests.worker.caller import Caller
from tests.worker.running import Start
from toolferry import Effect, Lane, Registry, ToolResult
from toolferry_ledger import Keeping, Settings

TOOLS = "tests.worker.tools_breaker"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Give a system in which a tool rests for a second after three faults in a row."""
    return replace(settings, keeping=Keeping(breaker_faults=3, breaker_pause=1.0))


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of these tools."""
    caller = Caller(settings, Registry.from_module(tools_breaker))
    yield caller
    caller.close()


def call(caller: Caller, name: str, **arguments: str) -> ToolResult:
    """Make one call and wait for it."""
    (result,) = caller.run((name, arguments))
    return result


def codes(results: list[ToolResult]) -> list[str]:
    """List why calls did not succeed."""
    return [result.error.code if result.error else "" for result in results]


def rest_over(caller: Caller) -> None:
    """Wait until no tool rests."""
    wait_until(lambda: not caller.ledger.overview().resting, "the end of the rest")


def test_a_tool_that_fails_all_the_time_rests(caller: Caller, start: Start, folder: str) -> None:
    """Its handler is not called, the model is told when to come back; other tools go on."""
    start(Lane.ASYNC, tools=TOOLS).ready()

    results = [call(caller, "fragile", folder=folder) for _ in range(4)]

    assert codes(results) == ["execution_failed"] * 3 + ["tool_shed"]
    assert results[3].effect is Effect.NONE
    assert results[3].error is not None
    assert results[3].error.retryable
    assert Path(folder, "journal").read_text(encoding="utf-8").count("run") == 3
    assert call(caller, "sound").content == "works"
    assert 0 < caller.ledger.overview().resting["fragile"] <= 1


def test_a_tool_is_tried_again_after_its_rest(caller: Caller, start: Start, folder: str) -> None:
    """One more fault sends it back; a success lets it go on, and the count begins anew."""
    start(Lane.ASYNC, tools=TOOLS).ready()
    broken = [call(caller, "fragile", folder=folder) for _ in range(3)]
    rest_over(caller)

    broken += [call(caller, "fragile", folder=folder) for _ in range(2)]
    rest_over(caller)
    Path(folder, "mended").touch()
    works = call(caller, "fragile", folder=folder)
    Path(folder, "mended").unlink()
    after = [call(caller, "fragile", folder=folder) for _ in range(2)]

    assert codes(broken) == ["execution_failed"] * 4 + ["tool_shed"]
    assert works.content == "works"
    assert codes(after) == ["execution_failed"] * 2


def test_a_tool_of_the_process_lane_rests_too(caller: Caller, start: Start, folder: str) -> None:
    """Its children are not bothered."""
    start(Lane.PROCESS, tools=TOOLS, concurrency=1).ready()

    results = [call(caller, "fragile_in_child", folder=folder) for _ in range(4)]

    assert codes(results) == ["execution_failed"] * 3 + ["tool_shed"]
