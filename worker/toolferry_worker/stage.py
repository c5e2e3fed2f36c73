"""The stage: which handler has the event loop at this moment.

asyncio tells which task runs, but only to a thread that can ask. This is written down before each
step of a handler, so that it can be read from another thread, and by way of the pulse from another
process. It costs about a microsecond a step. Of tasks that a handler starts it knows nothing.
"""

from __future__ import annotations

import time
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, Final, TypeVar

from toolferry_worker.pulse import Pulse
from toolferry_worker.runs import Run

T = TypeVar("T")
_NOBODY: Final = (None, 0.0)


class Stage:
    """Knows who has the event loop.

    Args:
        pulse: Is told too.
    """

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        #: The run whose handler has the loop, and since when; replaced as a whole.
        self.now: tuple[Run | None, float] = _NOBODY

    def beat(self, now: float, last_limit: float) -> None:
        """Say that threads run, and when the last limit passes of all that run."""
        self._pulse.beat(now, last_limit)

    @coroutine
    def follow(self, run: Run, handler: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
        """Await a handler, and know at each of its steps that it has the loop."""
        step, given = handler.send, None
        while True:
            self.enter(run)
            try:
                awaited = step(given)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]  # what the handler's type says
            finally:
                self.leave()
            try:
                step, given = handler.send, (yield awaited)
            except BaseException as error:  # noqa: BLE001 -- whatever it is, it is the handler's
                step, given = handler.throw, error

    def enter(self, run: Run) -> None:
        """Say that something done for a run has the loop from now on."""
        self.now = (run, time.monotonic())
        self._pulse.enter(run.limit_at)

    def leave(self) -> None:
        """Say that nobody's handler has it any more."""
        self._pulse.leave()
        self.now = _NOBODY
