"""An event loop in a thread of its own, for async functions of an application.

It lives as long as whoever asks, so that connections which such a function keeps stay good. One
that blocks it takes all others down with it; so a loop that does not answer is left behind, with
what runs on it, and another is made. So is one that something on it has ended.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final

#: Seconds that a loop has to answer once something on it was late.
ANSWER_WITHIN: Final = 0.1
#: Seconds for what is cancelled when the loop is closed.
_LAST_MOMENT: Final = 0.2


class OwnLoop:
    """Runs coroutines. Any thread may use it; the loop is made when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._answers: threading.Event | None = None

    def run(self, coroutine: Coroutine[Any, Any, None]) -> Future[None]:
        """Have a coroutine run, which catches whatever is raised."""
        with self._lock:
            return asyncio.run_coroutine_threadsafe(coroutine, self._sound_loop())

    def suspect(self) -> None:
        """Say that something was late: perhaps the loop is blocked."""
        with self._lock:
            is_asked = self._answers is not None and not self._answers.is_set()
            if self._loop is None or is_asked:
                return
            self._answers = threading.Event()
            self._loop.call_soon_threadsafe(self._answers.set)

    def close(self) -> None:
        """Cancel what runs, and end."""
        with self._lock:
            self._leave()

    def _sound_loop(self) -> asyncio.AbstractEventLoop:
        if self._answers is not None and not self._answers.wait(ANSWER_WITHIN):
            self._leave()
        self._answers = None
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(
                target=self._live, args=(self._loop,), name="toolferry-asking-loop", daemon=True
            ).start()
        return self._loop

    def _leave(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._loop = self._answers = None

    def _live(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        with suppress(BaseException):  # what was asked catches all; nobody can be told of the rest
            loop.run_forever()
        with self._lock:
            if self._loop is loop:  # something on it has ended it: it is no loop to ask on
                self._loop = self._answers = None
        with suppress(BaseException):  # as above
            loop.run_until_complete(_cancel_all())
        loop.close()


async def _cancel_all() -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    if rest:
        await asyncio.wait(rest, timeout=_LAST_MOMENT)
