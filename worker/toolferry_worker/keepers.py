"""Keepers: who holds a lifespan of the async lane open, from its start to its end.

A context manager is left where it was entered: in the same task, as cancel scopes ask for, or in
the same thread. So each lifespan has a task on the event loop of its own, or, when it is sync, a
thread of its own, where it can neither hold up the loop nor hang it.

One that is not up in time is given up: its task is cancelled; a thread cannot be. If it comes up
all the same, it is closed at once.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AbstractContextManager, suppress
from typing import Any, Protocol


class Keeper(Protocol):
    """Who holds one lifespan open."""

    #: What the lifespan provides, once it is up; or what it raised instead.
    value: Future[Any]
    #: Done when the lifespan has closed; or holds what it raised while it closed.
    ended: Future[None]

    def close(self) -> None:
        """Have it closed; returns at once."""

    def give_up(self) -> None:
        """Stop it, wherever it is; returns at once."""


class _Ends:
    """What a keeper tells of its lifespan."""

    def __init__(self) -> None:
        self.value: Future[Any] = Future()
        self.ended: Future[None] = Future()

    def _end(self, error: BaseException | None) -> None:
        if not self.value.done():
            self.value.set_exception(error or RuntimeError("it ended before it was up"))
        if error is None:
            self.ended.set_result(None)
        else:
            self.ended.set_exception(error)


class TaskKeeper(_Ends):
    """Holds an async lifespan open, in a task.

    Args:
        name: The lifespan's, for who asks what the loop is doing.
        manager: Gives its context manager.
        loop: Runs the task; any thread may call the keeper's methods.
    """

    def __init__(
        self,
        name: str,
        manager: Callable[[], AbstractAsyncContextManager[Any]],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__()
        self._name = name
        self._manager = manager
        self._loop = loop
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        loop.call_soon_threadsafe(self._begin)

    def close(self) -> None:
        """Have it closed; returns at once."""
        self._loop.call_soon_threadsafe(self._closing.set)

    def give_up(self) -> None:
        """Cancel it; returns at once."""
        self._loop.call_soon_threadsafe(self._cancel)

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._live(), name=f"lifespan {self._name}")

    def _cancel(self) -> None:
        self._closing.set()
        if self._task is not None:
            self._task.cancel()

    async def _live(self) -> None:
        try:
            async with self._manager() as value:
                self.value.set_result(value)
                await self._stay()
        except BaseException as error:  # noqa: BLE001 -- a lifespan may raise anything; it is told
            self._end(error)
        else:
            self._end(None)

    async def _stay(self) -> None:
        while not self._closing.is_set():
            with suppress(asyncio.CancelledError):  # by a handler that cancels all tasks
                await self._closing.wait()


class ThreadKeeper(_Ends):
    """Holds a sync lifespan open, in a thread that does not keep the process alive.

    Args:
        name: The lifespan's.
        manager: Gives its context manager.
    """

    def __init__(self, name: str, manager: Callable[[], AbstractContextManager[Any]]) -> None:
        super().__init__()
        self._manager = manager
        self._closing = threading.Event()
        threading.Thread(target=self._live, name=f"lifespan {name}", daemon=True).start()

    def close(self) -> None:
        """Have it closed; returns at once."""
        self._closing.set()

    def give_up(self) -> None:
        """Have it closed as soon as it lets go; returns at once."""
        self._closing.set()

    def _live(self) -> None:
        try:
            with self._manager() as value:
                self.value.set_result(value)
                self._closing.wait()
        except BaseException as error:  # noqa: BLE001 -- a lifespan may raise anything; it is told
            self._end(error)
        else:
            self._end(None)
