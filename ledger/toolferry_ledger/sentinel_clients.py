"""Clients that ask sentinels for the primary whenever they connect.

redis-py 8 asks for a connection that it takes from a pool, and not when it connects one anew in the
middle: a client with a single connection would look for the old primary for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import redis
import redis.asyncio
import redis.asyncio.sentinel
import redis.sentinel
from redis.asyncio.retry import Retry as AsyncRetry
from redis.retry import Retry

from toolferry_ledger.sentinels import SentinelAddress


def sentinel_pooled(address: SentinelAddress, limits: dict[str, Any]) -> redis.Redis:
    """Make a client with a small pool.

    Args:
        address: Which sentinels, and which primary.
        limits: What the connections to the server are to keep, in redis-py's words.
    """
    return redis.Redis.from_pool(_pool(_BlockingPool, address, limits))


def sentinel_alone(address: SentinelAddress, limits: dict[str, Any]) -> redis.Redis:
    """Make a client with one connection; connects at once."""
    pool = _pool(_Pool, address, limits)
    client = redis.Redis(connection_pool=pool, single_connection_client=True)
    client.auto_close_connection_pool = True
    return client


def sentinel_async(address: SentinelAddress, limits: dict[str, Any]) -> redis.asyncio.Redis:
    """Make an asyncio client with one connection."""
    kind = _AsyncTlsConnection if address.options else _AsyncConnection
    manager = _async_manager(address.sentinels, sentinel_kwargs=address.of_sentinels(AsyncRetry))
    pool = _async_pool(
        address.master, manager, connection_class=kind, **address.of_server(), **limits
    )
    client = redis.asyncio.Redis(connection_pool=pool, single_connection_client=True)
    client.auto_close_connection_pool = True
    return client


def _pool(kind: Callable[..., _Pool], address: SentinelAddress, limits: dict[str, Any]) -> _Pool:
    connection = _TlsConnection if address.options else _Connection
    manager = _manager(address.sentinels, sentinel_kwargs=address.of_sentinels(Retry))
    return kind(
        address.master, manager, connection_class=connection, **address.of_server(), **limits
    )


class _Connection(redis.sentinel.SentinelManagedConnection):
    def send_packed_command(self, command: Any, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 -- as redis-py has it
        connection: Any = super()
        if not self._sock:
            connection.connect()
        connection.send_packed_command(command, check_health)


class _TlsConnection(_Connection, redis.SSLConnection):
    pass


class _Pool(redis.sentinel.SentinelConnectionPool):
    """Leaves no connection to a sentinel open."""

    def disconnect(self, inuse_connections: bool = True) -> None:  # noqa: FBT001, FBT002 -- as redis-py has it
        super().disconnect(inuse_connections)
        if inuse_connections:
            self.sentinel_manager.close()


class _BlockingPool(_Pool, redis.BlockingConnectionPool):
    """The same, whose further users wait for a connection."""


class _AsyncConnection(redis.asyncio.sentinel.SentinelManagedConnection):
    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:  # noqa: FBT001, FBT002 -- as redis-py has it
        connection: Any = super()
        if not self.is_connected:
            await connection.connect()
        await connection.send_packed_command(command, check_health)


class _AsyncTlsConnection(_AsyncConnection, redis.asyncio.SSLConnection):
    pass


class _AsyncPool(redis.asyncio.sentinel.SentinelConnectionPool):
    async def disconnect(self, inuse_connections: bool = True) -> None:  # noqa: FBT001, FBT002 -- as redis-py has it
        await super().disconnect(inuse_connections)
        if inuse_connections:
            await self.sentinel_manager.aclose()


# redis-py has no types for these.
_manager: Callable[..., redis.sentinel.Sentinel] = redis.sentinel.Sentinel
_async_manager: Callable[..., redis.asyncio.sentinel.Sentinel] = redis.asyncio.sentinel.Sentinel
_async_pool: Callable[..., _AsyncPool] = _AsyncPool
