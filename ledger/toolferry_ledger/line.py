"""The line: one connection on which the scripts are asked, with little on the way to the server.

The clients of redis-py are made for every use. On the way of a command they look for arguments of
old, measure, take a connection out of a pool, look for the command's reader; those of loops start a
task for each write. For the four round trips of a turn of ten calls that was a fourteenth of its
time. What they are relied on for stays: connections with their limits, the check of one that was
idle for long, one more try, and their errors.
"""

from __future__ import annotations

import asyncio
import math
import os
import threading
from collections.abc import Callable
from typing import Any

import hiredis
import redis
import redis.asyncio
import redis.exceptions

from toolferry_ledger.connection import ANSWER_TIMEOUT
from toolferry_ledger.once_more import AsyncOnceMore

#: A command as redis-py takes it.
Command = tuple[bytes | str | int | float, ...]

_pack: Callable[[Command], bytes] = hiredis.pack_command  # type: ignore[assignment]  # its types know no more than one argument


class Line:
    """Asks on a connection of a client for threads that nobody else uses meanwhile. Thread-safe.

    While one thread asks, others ask through the client: on another connection of its pool, or in
    their turn if it has only one. So does a process that was forked off.

    Args:
        client: Whose connection it is: the only one, or one of its pool.
    """

    def __init__(self, client: redis.Redis) -> None:
        # redis-py has no types for what is used here.
        self._client: Any = client
        self._connection: Any = client.connection
        self._free: Any = self._client.single_connection_lock if client.connection else None
        self._free = self._free or threading.Lock()
        self._process = os.getpid()

    def ask(self, command: Command) -> Any:
        """Send a command, give its answer as the server wrote it.

        Raises:
            redis.exceptions.RedisError, OSError: As redis-py raises them.
        """
        if os.getpid() != self._process or not self._free.acquire(blocking=False):
            return self._client.execute_command(*command)
        try:
            return self._ask([_pack(command)])
        finally:
            self._free.release()

    def _ask(self, packed: list[bytes]) -> Any:
        if self._connection is None:
            self._connection = self._client.connection_pool.get_connection()
        connection = self._connection

        def once() -> Any:
            connection.send_packed_command(packed)
            return connection.read_response()

        return connection.retry.call_with_retry(once, lambda _error: connection.disconnect())


class AsyncLine:
    """The same on an event loop; whoever asks meanwhile waits for their turn.

    Args:
        client: A client with a single connection, which nobody else uses; see `connect_async`.
    """

    def __init__(self, client: redis.asyncio.Redis) -> None:
        self._client: Any = client
        self._free = asyncio.Lock()
        self._retry = AsyncOnceMore()

    async def ask(self, command: Command) -> Any:
        """Send a command, give its answer as the server wrote it.

        Raises:
            redis.exceptions.RedisError, OSError: As redis-py raises them.
        """
        packed = [_pack(command)]
        async with self._free:
            return await self._retry.call_with_retry(lambda: self._once(packed), self._hang_up)

    async def _once(self, packed: list[bytes]) -> Any:
        # One timer for all of it. redis-py's own, for each write and each read, take 40 µs.
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                connection = self._client.connection or await self._connected()
                await connection.send_packed_command(packed)
                return await connection.read_response(timeout=math.inf)
        except TimeoutError as error:
            raise redis.exceptions.TimeoutError("Timeout waiting for an answer") from error

    async def _connected(self) -> Any:
        await self._client.initialize()
        return self._client.connection

    async def _hang_up(self, _error: Exception) -> None:
        if self._client.connection is not None:
            await self._client.connection.disconnect(nowait=True)
