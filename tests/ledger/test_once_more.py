"""Trying again: once more on a new connection, and no more than that however deep it fails."""

from __future__ import annotations

import asyncio

import pytest
import redis

from toolferry_ledger import Settings
from toolferry_ledger.connection import connect_pooled
from toolferry_ledger.once_more import AsyncOnceMore, OnceMore


@pytest.fixture
def tries() -> list[str]:
    """Give a list in which each try is written down."""
    return []


def test_what_failed_is_tried_once_more(tries: list[str]) -> None:
    """Then its error is passed on."""
    policy = OnceMore()

    def fail() -> None:
        tries.append("try")
        raise redis.TimeoutError

    with pytest.raises(redis.TimeoutError):
        policy.call_with_retry(fail, lambda _: None)

    assert tries == ["try", "try"]


def test_what_is_tried_within_a_try_is_tried_once(tries: list[str]) -> None:
    """Else a server that says nothing would be waited for four times."""
    policy = OnceMore()

    def connect() -> None:
        tries.append("connect")
        raise redis.ConnectionError

    with pytest.raises(redis.ConnectionError):
        policy.call_with_retry(
            lambda: policy.call_with_retry(connect, lambda _: None), lambda _: None
        )

    assert tries == ["connect", "connect"]


def test_the_same_holds_on_a_loop(tries: list[str]) -> None:
    """For the client that writes results."""
    policy = AsyncOnceMore()

    async def connect() -> None:
        """Fail to connect."""
        tries.append("connect")
        raise redis.ConnectionError

    async def close(_: Exception) -> None:
        """Close what is broken."""
        tries.append("close")

    async def run() -> None:
        """Try twice over, as the client does."""
        with pytest.raises(redis.ConnectionError):
            await policy.call_with_retry(lambda: policy.call_with_retry(connect, close), close)

    asyncio.run(run())

    assert tries.count("connect") == 2


def test_a_failed_connection_takes_the_idle_ones_along(settings: Settings) -> None:
    """They may be as dead as it, and each would cost its next user a timeout."""
    with connect_pooled(settings) as client:
        pool = client.connection_pool
        used, idle = pool.get_connection(), pool.get_connection()
        pool.release(idle)

        used.disconnect()
        pool.release(used)

        assert not idle.is_connected
        assert client.ping()
