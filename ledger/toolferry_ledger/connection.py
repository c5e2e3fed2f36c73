"""Clients of the server, with every limit explicit, and errors that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import redis
import redis.asyncio
import redis.exceptions
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from toolferry import LedgerUnavailable
from toolferry_ledger.settings import Settings

#: Seconds to wait for a connection. With one more try an unreachable server is told within 5 s.
CONNECT_TIMEOUT: Final = 2
#: Seconds to wait for an answer, once: a server that is reached and says nothing is told within
#: 5 s too. Longer than any blocking read that we make.
ANSWER_TIMEOUT: Final = 4.0
#: Connections that one client holds at the most; further threads wait for one.
MAX_CONNECTIONS: Final = 8
#: Seconds between a failed try and the only other one.
RETRY_PAUSE: Final = 0.1
#: A connection that broke. Not silence: redis-py tries again when it connects and when it asks,
#: which made 20 s of one frozen server (measured).
_WORTH_A_RETRY: Final = (redis.exceptions.ConnectionError,)


def connect_pooled(settings: Settings) -> redis.Redis:
    """Make a client with a small pool; connects when it is first used."""
    pool = redis.BlockingConnectionPool.from_url(
        settings.redis_url,
        max_connections=MAX_CONNECTIONS,
        timeout=ANSWER_TIMEOUT,
        retry=Retry(ConstantBackoff(RETRY_PAUSE), 1, _WORTH_A_RETRY),
        **_limits(settings),
    )
    return redis.Redis.from_pool(pool)


def connect_alone(settings: Settings) -> redis.Redis:
    """Make a client with one connection, for a process in which hardly more than one thread asks.

    Connects at once; further threads wait their turn. Without a pool a round trip takes a fifth
    less.
    """
    return redis.Redis.from_url(
        settings.redis_url,
        single_connection_client=True,
        retry=Retry(ConstantBackoff(RETRY_PAUSE), 1, _WORTH_A_RETRY),
        **_limits(settings),
    )


def connect_async(settings: Settings) -> redis.asyncio.Redis:
    """Make an asyncio client with one connection; belongs to the loop in which it is first used."""
    return redis.asyncio.Redis.from_url(
        settings.redis_url,
        single_connection_client=True,
        retry=AsyncRetry(ConstantBackoff(RETRY_PAUSE), 1, _WORTH_A_RETRY),
        **_limits(settings),
    )


def _limits(settings: Settings) -> dict[str, Any]:
    limits: dict[str, Any] = {
        "socket_connect_timeout": CONNECT_TIMEOUT,
        "socket_timeout": ANSWER_TIMEOUT,
        "health_check_interval": 15,
    }
    if not settings.redis_url.startswith("unix://"):
        limits["socket_keepalive"] = True
    return limits


@contextmanager
def server_errors(settings: Settings) -> Iterator[None]:
    """Turn what redis-py raises into one sentence that names the server.

    Raises:
        LedgerUnavailable: In place of any error of the client.
    """
    try:
        yield
    except redis.exceptions.AuthenticationError as error:
        raise LedgerUnavailable(
            settings.safe_url, "it refused the password; check TOOLFERRY_URL"
        ) from error
    except (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError, OSError) as error:
        raise LedgerUnavailable(
            settings.safe_url, f"it did not answer ({_cause(error)}); check that it runs"
        ) from error
    except redis.exceptions.OutOfMemoryError as error:
        raise LedgerUnavailable(
            settings.safe_url, "it is full; raise its maxmemory or wait until calls have ended"
        ) from error
    except redis.exceptions.RedisError as error:
        raise LedgerUnavailable(settings.safe_url, f"it refused: {error}") from error


def _cause(error: BaseException) -> str:
    return str(error).rstrip(".").split("\n")[0] or type(error).__name__
