"""Steps: asking functions of an application in an attempt, the same way in both lanes.

What is asked is written once, as a generator that calls sync functions itself and hands out what
has to be awaited. The async lane awaits that where the handler runs, in the same task; a child of
the process lane on a loop that lives as long as the attempt.

A function that raises, or takes longer than it may, gives no answer but a `Silence`. An async one
is cancelled at its limit; a sync one cannot be, so that its answer counts for nothing when it comes
too late, and when it never comes the attempt's own limit ends it. What ends an attempt or a process
(its limit, a cancellation, a shutdown) is nobody's answer and goes on its way.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator
from typing import Any, Self, TypeAlias, TypeVar

from billiard import common
from celery.exceptions import SoftTimeLimitExceeded

from toolferry_ledger import Silence
from toolferry_policies import told_of

T = TypeVar("T")

#: Hands out what has to be awaited, and for how many seconds at the most; is sent what came of it.
Steps: TypeAlias = Generator[tuple[Awaitable[Any], float], Any, T]


def ask(function: Callable[..., Any], about: tuple[Any, ...], within: float) -> Steps[Any]:
    """Ask a function, and give its answer or a `Silence`.

    Args:
        function: Sync or async.
        about: Its arguments.
        within: Seconds that it may take.
    """
    began = time.monotonic()
    try:
        answer = function(*about)
        if inspect.isawaitable(answer):
            answer = yield answer, within
    except BaseException as error:
        if _ends_more(error):
            raise
        if isinstance(error, TimeoutError) and time.monotonic() - began >= within:
            return Silence(f"gave no answer within {within:g} s")
        return Silence(told_of(error))
    took = time.monotonic() - began
    return Silence(f"took {took:.2f} s of {within:g} s") if took > within else answer


async def walk(steps: Steps[T]) -> T:
    """Take steps in a running task."""
    move: Callable[[], tuple[Awaitable[Any], float]] = steps.__next__
    while True:
        try:
            awaitable, within = move()
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # what the generator's type says
        move = await _came_of(steps, awaitable, within)


class Walker:
    """Takes steps where no loop runs; makes one when something has to be awaited."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None

    def walk(self, steps: Steps[T]) -> T:
        """Take steps."""
        move: Callable[[], tuple[Awaitable[Any], float]] = steps.__next__
        while True:
            try:
                awaitable, within = move()
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]  # as above
            self._runner = self._runner or asyncio.Runner()
            move = self._runner.run(_came_of(steps, awaitable, within))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._runner:
            self._runner.close()


async def _came_of(steps: Steps[T], awaitable: Awaitable[Any], within: float) -> Callable[[], Any]:
    """Await something, and give the next move: to send what it gave, or to throw what it raised."""
    try:
        async with asyncio.timeout(within):
            answer = await awaitable
    except BaseException as error:  # noqa: BLE001 -- whatever it is, the steps decide
        caught = error
        return lambda: steps.throw(caught)
    return lambda: steps.send(answer)


def _ends_more(error: BaseException) -> bool:
    """Tell whether an error is meant for more than the function that it was raised in."""
    if common.terminate_handler_fired():  # type: ignore[attr-defined]  # new in billiard 4.3
        return True
    if isinstance(error, asyncio.CancelledError):
        return _is_cancelled()
    return isinstance(error, SoftTimeLimitExceeded)


def _is_cancelled() -> bool:
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop runs: the function has raised it by itself
        return False
    return task is not None and task.cancelling() > 0
