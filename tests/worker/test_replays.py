"""A dead letter, replayed by real workers after its tool was mended."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.worker import tools_breaker
from tests.worker.caller import Caller
from tests.worker.running import Start
from toolferry import Lane, Outcome, Registry, call_key
from toolferry_ledger import Bell, DeadLetters, Settings, Signer


@pytest.fixture
def caller(settings: Settings) -> Iterator[Caller]:
    """Give a caller of the tools that can be mended."""
    caller = Caller(settings, Registry.from_module(tools_breaker))
    yield caller
    caller.close()


def test_a_mended_tool_does_its_dead_letters(
    caller: Caller, start: Start, settings: Settings, folder: str
) -> None:
    """With the key of the first call; what was answered stays, and the letter is settled."""
    start(Lane.PROCESS, tools="tests.worker.tools_breaker", concurrency=1).ready()
    letters = DeadLetters(caller.ledger, Signer(settings.secret), Bell(settings))
    turn_id = caller.submit(("pay", {"folder": folder}))
    (failed,) = caller.wait(turn_id, 1)
    key = call_key(turn_id, 0)
    Path(folder, "mended").touch()

    (refused,) = letters.replay([key])
    (replayed,) = letters.replay([key], confirmed=[key])
    wait_until(lambda: letters.show(key).settled_by, "the end of the replay")

    story = letters.show(key)
    (replay,) = story.replays
    assert refused.unconfirmed
    assert replay.result is not None
    assert (replay.call_key, replay.result.content) == (replayed.replay, key)
    assert story.result == failed
    assert failed.outcome is Outcome.FAILED
    assert letters.list() == ()
