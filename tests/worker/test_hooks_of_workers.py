"""Hooks in real workers, which find them in their modules; also those that never answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worker import tools_hanging, tools_hooks
from tests.worker.caller import Caller
from tests.worker.running import Start
from toolferry import Effect, Lane, Outcome, Registry
from toolferry_ledger import Settings


@pytest.fixture
def asking(shared: Caller) -> Iterator[Caller]:
    """Give a caller of the tools with hooks, whose calls the pair of workers runs."""
    caller = Caller(shared.settings, Registry.from_module(tools_hooks))
    yield caller
    caller.close()


@pytest.mark.parametrize("lane", Lane)
def test_workers_ask_the_hooks_of_their_modules(asking: Caller, lane: Lane) -> None:
    """Whoever has dispatched the call; no option says so."""
    (result,) = asking.run((f"hooked_{lane.value}", {}))

    assert result.content == "wrapped, judged"


@pytest.mark.parametrize("lane", Lane)
def test_the_history_keeps_the_size_of_what_was_withheld(asking: Caller, lane: Lane) -> None:
    """And nothing more of it is kept anywhere."""
    turn = asking.submit((f"secretive_{lane.value}", {}))

    (result,) = asking.wait(turn, 1)

    prefix = asking.settings.key_prefix
    history = asking.ledger.client.lrange(f"{prefix}history:{turn}:0", 0, -1)
    assert result.error is not None
    assert (result.error.code, result.content) == ("blocked", None)
    assert b'"withheld":8' in b"".join(history)  # type: ignore[arg-type]  # sync, so no awaitable


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
