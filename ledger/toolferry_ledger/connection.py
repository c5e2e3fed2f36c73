"""Clients of the server, with every limit explicit, and errors that say what to do."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty
from typing import Any, Final

import redis
import redis.asyncio
import redis.exceptions
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.retry import Retry

from toolferry import LedgerUnavailable
from toolferry_ledger.once_more import OnceMore
from toolferry_ledger.sentinel_clients import sentinel_alone, sentinel_async, sentinel_pooled
from toolferry_ledger.sentinels import SentinelAddress
from toolferry_ledger.settings import Settings
from toolferry_ledger.trouble import trouble

#: Seconds to wait for a connection. With one more try an unreachable server is told within 5 s.
CONNECT_TIMEOUT: Final = 2
#: Seconds to wait for an answer. With one more try a server that is reached and says nothing is
#: told within 5 s too. Longer than any blocking read that we make.
ANSWER_TIMEOUT: Final = 2.2
#: The part of a lease for which its renewal waits, at the most: a connection that died unseen has
#: to be found out, and another one made, within the two thirds after a renewal was due.
BRIEF_PART: Final = 0.25
#: Connections that one client holds at the most; further threads wait for one.
MAX_CONNECTIONS: Final = 8


class _WaryPool(redis.BlockingConnectionPool):
    """A pool that trusts none of its idle connections once one of them has failed.

    Behind a path that died silently each of them would cost its next user the whole timeout.
    """

    def get_connection(self, *_old: Any, **_older: Any) -> Any:
        """Give a connection, as redis-py does, without its check for arguments of old.

        That check takes 20 µs, as long as the rest: 2 % of a turn of ten, which asks three times.
        """
        return _GIVE(self)

    def release(self, connection: Any) -> None:
        """Take a connection back; one that failed comes back closed."""
        super().release(connection)  # type: ignore[no-untyped-call]  # redis-py types it nowhere
        if not connection.is_connected:
            self._close_idle()

    def _close_idle(self) -> None:
        """Close what is idle, taken out meanwhile so that nobody is given one that is closing."""
        idle = []
        with suppress(Empty):
            while True:
                idle.append(self.pool.get_nowait())
        for connection in reversed(idle):
            if connection is not None:
                connection.disconnect()
            self.pool.put_nowait(connection)


_STOCK: Final = redis.BlockingConnectionPool.get_connection
_GIVE: Final = getattr(_STOCK, "__wrapped__", _STOCK)


def connect_pooled(settings: Settings) -> redis.Redis:
    """Make a client with a small pool; connects when it is first used."""
    limits = {**_limits(settings), "retry": OnceMore()}
    limits |= {"max_connections": MAX_CONNECTIONS, "timeout": ANSWER_TIMEOUT}
    address = settings.address
    if isinstance(address, SentinelAddress):
        return sentinel_pooled(address, limits)
    pool = _WaryPool.from_url(address.redis_url, **limits)
    return redis.Redis.from_pool(pool)


def connect_alone(settings: Settings) -> redis.Redis:
    """Make a client with one connection, for a process in which hardly more than one thread asks.

    Connects at once; further threads wait their turn. Without a pool a round trip takes a fifth
    less.
    """
    return _alone(settings, {**_limits(settings), "retry": OnceMore()})


def connect_briefly(settings: Settings) -> redis.Redis:
    """Make a client with one connection that gives up soon and tries once, to renew a lease."""
    patience = min(ANSWER_TIMEOUT, BRIEF_PART * settings.keeping.lease)
    brief = {"socket_connect_timeout": patience, "socket_timeout": patience}
    return _alone(settings, {**_limits(settings), **brief, "retry": Retry(NoBackoff(), 0)})


def connect_async(settings: Settings) -> redis.asyncio.Redis:
    """Make an asyncio client with one connection; belongs to the loop in which it is first used.

    Who uses it limits how long an answer takes, and tries again: see `AsyncLine`.
    """
    limits = {**_limits(settings), "retry": AsyncRetry(NoBackoff(), 0), "socket_timeout": None}
    address = settings.address
    if isinstance(address, SentinelAddress):
        return sentinel_async(address, limits)
    limits["single_connection_client"] = True
    return redis.asyncio.Redis.from_url(address.redis_url, **limits)


def _alone(settings: Settings, limits: dict[str, Any]) -> redis.Redis:
    address = settings.address
    if isinstance(address, SentinelAddress):
        return sentinel_alone(address, limits)
    return redis.Redis.from_url(address.redis_url, single_connection_client=True, **limits)


def _limits(settings: Settings) -> dict[str, Any]:
    limits: dict[str, Any] = {
        "socket_connect_timeout": CONNECT_TIMEOUT,
        "socket_timeout": ANSWER_TIMEOUT,
        "health_check_interval": 15,
    }
    if not settings.url.startswith("unix://"):
        limits["socket_keepalive"] = True
    return limits


class server_errors:  # noqa: N801 -- a block, as `contextlib.suppress` is
    """Turns what redis-py raises within the block into one sentence that names the server.

    Raises:
        LedgerUnavailable: In place of any error of the client.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __enter__(self) -> None:
        """Nothing is to be done before."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: object
    ) -> None:
        if isinstance(error, redis.exceptions.RedisError | OSError):
            url = self._settings.safe_url
            raise LedgerUnavailable(url, trouble(error, url)) from error
