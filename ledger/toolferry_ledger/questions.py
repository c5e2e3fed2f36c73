"""Asking functions of an application: each within its time, and nothing that they do gets out.

1. All questions that are put together are asked at the same time: async functions on one event loop
   of their own, sync ones in threads of their own.
2. A question's time begins when its function is called. What has not answered by then is cancelled
   where that is possible, and not waited for in any case.
3. Whatever a function raises, `SystemExit` and `KeyboardInterrupt` included, is silence: no answer,
   and why there is none. What that means, whoever asks decides.

Threads and loop are made when they are first needed.
"""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from toolferry_ledger.own_loop import OwnLoop
from toolferry_ledger.spare_threads import Job, SpareThreads
from toolferry_policies import told_of

#: Seconds beyond its own time in which a question has to be put at all.
_START_WITHIN: Final = 1.0


@dataclass(frozen=True, slots=True)
class Question:
    """A function, what it is asked about, and how long it may take."""

    function: Callable[..., Any]
    #: Its arguments.
    about: tuple[Any, ...]
    #: Seconds.
    within: float


@dataclass(frozen=True, slots=True)
class Silence:
    """A function gave no answer."""

    #: What it did instead, such as "raised KeyError: 'owner'"; for the log only.
    why: str


class Asker:
    """Asks functions of an application. Any thread may use it, but no fork of its process."""

    def __init__(self) -> None:
        self._threads = SpareThreads()
        self._loop = OwnLoop()

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        """Ask several functions at once, and wait for their answers.

        Returns:
            For each question what its function returned, or a `Silence`.
        """
        asked = [self._put(one) for one in questions]
        return [self._hear(one) for one in asked]

    def close(self) -> None:
        """Let go of threads and loop; what still runs on the loop is cancelled."""
        self._threads.close()
        self._loop.close()

    def _put(self, question: Question) -> _Asked:
        asked = _Asked(question)
        if _is_async(question.function):
            asked.future = self._loop.run(asked.answer_async())
        else:
            asked.job = Job(lambda: self._answer(asked))
            if not self._threads.run(asked.job):
                asked.tell(Silence("was not asked: too many functions hang"))
        return asked

    def _hear(self, asked: _Asked) -> Any:
        if not asked.wait():
            asked.tell(Silence(f"gave no answer within {asked.question.within:g} s"))
            if asked.job:
                self._threads.write_off(asked.job)
            if asked.future:
                asked.future.cancel()
                self._loop.suspect()
        return asked.answer

    def _answer(self, asked: _Asked) -> None:
        """Ask a sync function; what it returned may still have to be awaited."""
        asked.begin()
        try:
            value = asked.question.function(*asked.question.about)
        except BaseException as error:  # noqa: BLE001 -- the function is not ours: see the story
            asked.tell(Silence(told_of(error)))
            return
        if inspect.isawaitable(value):
            asked.future = self._loop.run(asked.await_answer(value))
        else:
            asked.tell(value)


class _Asked:
    """A question that was put."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.answer: Any = None
        self.job: Job | None = None
        self.future: Any = None
        self._put_at = time.monotonic()
        self._began_at: float | None = None
        self._has_answer = False
        self._changed = threading.Condition()

    def begin(self) -> None:
        """Note that the function is called now."""
        with self._changed:
            self._began_at = time.monotonic()
            self._changed.notify_all()

    def tell(self, answer: Any) -> None:
        """Take the answer; the first counts, and one that comes too late is none."""
        with self._changed:
            if self._began_at is not None and time.monotonic() > self._ends_at:
                answer = Silence(f"gave no answer within {self.question.within:g} s")
            if not self._has_answer:
                self._has_answer, self.answer = True, answer
            self._changed.notify_all()

    def wait(self) -> bool:
        """Wait for the answer as long as the question allows; False when there is none by then."""
        with self._changed:
            while not self._has_answer:
                left = self._ends_at - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
        return True

    @property
    def _ends_at(self) -> float:
        if self._began_at is None:
            return self._put_at + self.question.within + _START_WITHIN
        return self._began_at + self.question.within

    async def answer_async(self) -> None:
        """Ask an async function."""
        self.begin()
        try:
            self.tell(await self.question.function(*self.question.about))
        except BaseException as error:  # noqa: BLE001 -- the function is not ours: see the story
            self.tell(Silence(told_of(error)))

    async def await_answer(self, value: Any) -> None:
        """Await what a sync function returned."""
        try:
            self.tell(await value)
        except BaseException as error:  # noqa: BLE001 -- as above
            self.tell(Silence(told_of(error)))


def _is_async(function: Any) -> bool:
    call = getattr(type(function), "__call__", None)  # noqa: B004 -- whether it is awaited, no more
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
