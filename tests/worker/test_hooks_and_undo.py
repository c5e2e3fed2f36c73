"""Hooks and undo: what has happened can be taken back, whoever keeps its result."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from structlog.testing import capture_logs

from tests.worker.test_calling import attempt_of
from toolferry import Answer, Hooks, Outcome
from toolferry_policies import Underway
from toolferry_worker.calling import call_async, call_sync


@contextmanager
def broken_exit(_call: Underway) -> Iterator[None]:
    """Break when the handler has ended."""
    yield
    raise RuntimeError("the tracer is away")


def undoable() -> Answer:
    """Do something that can be taken back."""
    return Answer(content="done", undo={"name": "ann"})


async def undoable_async() -> Answer:
    """Do the same on the loop."""
    return undoable()


async def test_what_takes_a_call_back_is_kept_when_a_hook_keeps_its_result_back() -> None:
    """It has happened, so it can be undone; in both lanes."""
    in_child, on_loop = (
        replace(attempt_of(handler, undo="strike_off"), hooks=(Hooks(execute=[broken_exit]),))
        for handler in (undoable, undoable_async)
    )

    with capture_logs():
        ends = [call_sync(in_child), await call_async(on_loop)]

    told = [(end.outcome, end.content, end.undo) for end in ends]
    assert told == [(Outcome.FAILED, None, {"name": "ann"})] * 2


def test_what_takes_a_call_back_is_kept_when_its_result_does_not_fit() -> None:
    """It may have happened all the same."""
    end = call_sync(attempt_of(undoable, undo="strike_off", result_schema={"type": "integer"}))

    assert end.error is not None
    assert (end.error.code, end.undo) == ("bad_result", {"name": "ann"})
