"""Hooks that never give an answer: their attempt's limit ends them, and nobody gets through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worker import tools_hanging
from tests.worker.caller import Caller
from tests.worker.running import Start
from toolferry import Effect, Lane, Outcome, Registry
from toolferry_ledger import Settings


@pytest.fixture
def hanging(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the tools whose hooks hang."""
    caller = Caller(settings, Registry.from_module(tools_hanging))
    yield caller
    caller.close()


@pytest.mark.slow
@pytest.mark.parametrize("lane", Lane)
def test_a_hook_that_never_answers_ends_with_its_attempt(
    hanging: Caller, start: Start, tmp_path: Path, lane: Lane
) -> None:
    """Before the handler, which is not called, and after it, whose result nobody gets."""
    start(lane, tools="tests.worker.tools_hanging").ready()
    files = [tmp_path / "before", tmp_path / "after"]

    results = [hanging.run((f"{file.name}_{lane.value}", {"file": str(file)}))[0] for file in files]

    assert [file.exists() for file in files] == [False, True]
    for result in results:
        assert (result.outcome, result.effect) == (Outcome.TIMED_OUT, Effect.POSSIBLE)
        assert result.content is None
