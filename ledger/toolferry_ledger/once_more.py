"""The policy of trying again: once more, on a new connection, whatever failed and however deep.

redis-py asks its policy when it connects and, around that, when it sends a command. Each with one
more try, a frozen server took 20 s to be told of (measured). So what is tried within a try is tried
once: a dead connection is made good within the call that found it dead, and a server that does not
answer is told within two timeouts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import ConstantBackoff
from redis.retry import Retry

T = TypeVar("T")

#: Seconds between a failed try and the only other one.
RETRY_PAUSE: Final = 0.1


class OnceMore(Retry):
    """For the clients of threads; each connection has one of its own."""

    def __init__(self) -> None:
        super().__init__(ConstantBackoff(RETRY_PAUSE), 1)

    def call_with_retry(self, do: Callable[[], T], *how: Any, **more: Any) -> T:
        """Do something, and once more when it failed; what is tried in it is tried once."""
        return super().call_with_retry(lambda: self._alone(do), *how, **more)

    def _alone(self, do: Callable[[], T]) -> T:
        retries, self._retries = self._retries, 0
        try:
            return do()
        finally:
            self._retries = retries


class AsyncOnceMore(AsyncRetry):
    """The same for the clients of event loops."""

    def __init__(self) -> None:
        super().__init__(ConstantBackoff(RETRY_PAUSE), 1)

    async def call_with_retry(self, do: Callable[[], Awaitable[T]], *how: Any, **more: Any) -> T:
        """Do something, and once more when it failed; what is tried in it is tried once."""
        return await super().call_with_retry(lambda: self._alone(do), *how, **more)

    async def _alone(self, do: Callable[[], Awaitable[T]]) -> T:
        retries, self._retries = self._retries, 0
        try:
            return await do()
        finally:
            self._retries = retries
