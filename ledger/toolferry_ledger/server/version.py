"""How new a server must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import redis

from toolferry import LedgerUnavailable

#: Older ones refuse to finish a call when they are full, and do not know the scripts' first line.
MINIMUM: Final = (7, 0)


def check_server(client: redis.Redis, safe_url: str) -> None:
    """Check that a server is new enough; made for the first use of a connection.

    Args:
        client: Its timeouts bound how long this takes; what it raises is passed on.
        safe_url: The server's URL without its password, for the error.

    Raises:
        LedgerUnavailable: The server is too old.
    """
    fault = server_fault(client.info("server"))
    if fault:
        raise LedgerUnavailable(safe_url, fault)


def server_fault(info: Mapping[str, Any]) -> str | None:
    """Say what is wrong with a server of this `INFO server`; None when nothing is.

    >>> server_fault({"redis_version": "6.2.7"})
    'it is Redis 6.2.7, and Redis 7.0 or newer, or any Valkey, is needed'
    >>> server_fault({"redis_version": "7.2.4", "server_name": "valkey"})
    """
    version = str(info.get("redis_version", "unknown"))
    if info.get("server_name") == "valkey" or _numbers(version) >= MINIMUM:
        return None
    return f"it is Redis {version}, and Redis 7.0 or newer, or any Valkey, is needed"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
