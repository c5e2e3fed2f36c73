"""What ends an attempt ends its hooks, too: a cancellation, or its limit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from celery.exceptions import SoftTimeLimitExceeded

from tests.worker.test_calling import attempt_of
from tests.worker.test_hooking import hooked, raising
from toolferry import Hooks, Outcome
from toolferry_policies import Accept, Aftermath, Underway
from toolferry_worker.calling import call_async, call_sync


async def test_a_cancellation_is_no_answer_of_a_hook() -> None:
    """Of one that is entered: the attempt ends as cancelled, and not as refused."""
    entered = asyncio.Event()

    async def waits() -> None:
        """Say that it is entered, and wait."""
        entered.set()
        await asyncio.sleep(60)

    @asynccontextmanager
    async def slow(_call: Underway) -> AsyncIterator[None]:
        """Wait before the handler."""
        await waits()
        yield

    async def handler() -> None:
        """Do nothing."""

    calling = asyncio.ensure_future(
        call_async(hooked(attempt_of(handler), Hooks(execute=[slow], within=30)))
    )
    await entered.wait()
    calling.cancel()
    end = await calling

    assert end.error is not None
    assert "CancelledError" in end.error.message


async def test_a_cancellation_while_a_result_is_judged_keeps_it_back() -> None:
    """The handler has run; nobody has said that a model may read what it returned."""
    asked = asyncio.Event()

    async def slow(_came: Aftermath) -> Accept:
        """Wait before it answers."""
        asked.set()
        await asyncio.sleep(60)
        return Accept()

    async def handler() -> str:
        """Do something."""
        return "secret"

    calling = asyncio.ensure_future(
        call_async(hooked(attempt_of(handler), Hooks(post_execute=[slow], within=30)))
    )
    await asked.wait()
    calling.cancel()
    end = await calling

    assert (end.outcome, end.content) == (Outcome.FAILED, None)
    assert end.error is not None
    assert end.error.code == "blocked"


def test_the_limit_of_an_attempt_ends_a_hook_too() -> None:
    """In a child, where a signal brings it."""
    attempt = attempt_of(lambda: 1)

    around = call_sync(hooked(attempt, Hooks(execute=[raising(SoftTimeLimitExceeded())])))

    assert around.outcome is Outcome.TIMED_OUT
    with pytest.raises(SoftTimeLimitExceeded):  # whoever calls it in a child knows what this means
        call_sync(hooked(attempt, Hooks(post_execute=[raising(SoftTimeLimitExceeded())])))
