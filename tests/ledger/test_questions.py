"""Asking functions of an application: each within its time, and nothing that they do gets out."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.waiting import wait_until
from toolferry_ledger import Asker, Question, Silence
from toolferry_ledger.spare_threads import MAX_HANGING, SIZE


@pytest.fixture
def asker() -> Iterator[Asker]:
    """Give an asker of its own."""
    asker = Asker()
    yield asker
    asker.close()


class Directory:
    """Something that can be asked."""

    async def __call__(self, name: str) -> str:
        """Look a name up."""
        await asyncio.sleep(0)
        return f"{name} is known"


async def loop_of(_about: object) -> asyncio.AbstractEventLoop:
    """Tell on which loop it runs."""
    return asyncio.get_running_loop()


def test_functions_of_every_kind_are_asked(asker: Asker) -> None:
    """Sync, async, with parts of their arguments, and those that give what is to be awaited."""

    async def later(name: str) -> str:
        """Look a name up."""
        return f"{name} is known"

    functions: list[Any] = [
        lambda name: f"{name} is known",
        later,
        functools.partial(later),
        Directory(),
        lambda name: later(name),  # noqa: PLW0108 -- a sync function that gives an awaitable
    ]

    assert asker.ask([Question(one, ("ada",), 5) for one in functions]) == ["ada is known"] * 5


def test_nothing_is_asked_of_nobody(asker: Asker) -> None:
    """And no thread is made for it."""
    before = threading.active_count()

    assert asker.ask([]) == []
    assert threading.active_count() == before


def test_async_functions_keep_their_loop(asker: Asker) -> None:
    """So that connections which they hold stay good."""
    question = Question(loop_of, ((),), 5)

    (first,), (second,) = asker.ask([question]), asker.ask([question])

    assert first is second


def test_a_loop_that_is_blocked_is_left_behind(asker: Asker) -> None:
    """Whoever blocks it has no answer; others have theirs."""
    go_on = threading.Event()

    async def blocks(_about: object) -> None:
        """Hold the loop."""
        go_on.wait(10)

    (silence,) = asker.ask([Question(blocks, ((),), 0.02)])
    (answer,) = asker.ask([Question(Directory(), ("ada",), 5)])
    go_on.set()

    assert silence == Silence("gave no answer within 0.02 s")
    assert answer == "ada is known"


def test_more_questions_than_threads_are_asked_one_after_the_other(asker: Asker) -> None:
    """The time of each begins when its function is called."""
    running, most = 0, 0
    lock, full = threading.Lock(), threading.Barrier(SIZE)

    def counts(number: int) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        full.wait(5)  # all threads are in here at once
        with lock:
            running -= 1
        return number

    answers = asker.ask([Question(counts, (number,), 5) for number in range(3 * SIZE)])

    assert answers == list(range(3 * SIZE))
    assert most == SIZE


def test_threads_that_hang_are_replaced(asker: Asker) -> None:
    """Until so many hang that nothing is asked any more; when they go on, all is well again."""
    go_on = threading.Event()
    hangs = Question(lambda _about: go_on.wait(30), ((),), 0.001)
    before = threading.active_count()

    silences = [asker.ask([hangs] * SIZE) for _ in range(MAX_HANGING // SIZE)]
    refused = asker.ask([Question(str, (7,), 5)])
    go_on.set()

    assert all(isinstance(one, Silence) for batch in silences for one in batch)
    assert refused == [Silence("was not asked: too many functions hang")]
    wait_until(lambda: threading.active_count() <= before + SIZE, "the end of what hung")
    assert asker.ask([Question(str, (7,), 5)]) == ["7"]


def test_an_answer_that_comes_too_late_is_none(asker: Asker) -> None:
    """Also when it is there before anybody looks."""
    is_there = threading.Event()

    def comes_late(_about: object) -> None:
        threading.Event().wait(0.05)  # nobody sets it: the answer is late
        is_there.set()

    slow = Question(lambda _about: is_there.wait(5), ((),), 5)
    late = Question(comes_late, ((),), 0.01)

    assert asker.ask([slow, late]) == [True, Silence("gave no answer within 0.01 s")]


def test_an_error_that_cannot_even_be_told_is_silence(asker: Asker) -> None:
    """Its kind is told then."""

    class Mean(Exception):
        def __str__(self) -> str:
            raise SystemExit

    def raises(_about: object) -> None:
        raise Mean

    assert asker.ask([Question(raises, ((),), 5)]) == [Silence("raised Mean")]


def test_a_loop_that_an_answer_has_ended_is_replaced(asker: Asker) -> None:
    """A task that was left behind on it may raise what ends a loop."""

    async def ends(_about: object) -> None:
        """Leave a task behind."""

        async def leave() -> None:
            """End the loop."""
            await asyncio.sleep(0)
            raise SystemExit

        tasks.append(asyncio.ensure_future(leave()))
        await asyncio.sleep(0)

    tasks: list[asyncio.Future[None]] = []
    loop: Any = asker.ask([Question(loop_of, ((),), 5)])[0]
    asker.ask([Question(ends, ((),), 0.2)])
    wait_until(loop.is_closed, "the end of the loop")

    assert asker.ask([Question(Directory(), ("ada",), 5)]) == ["ada is known"]
    assert isinstance(tasks[0].exception(), SystemExit)
