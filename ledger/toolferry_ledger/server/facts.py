"""What is known of a server that matters for keeping calls: read at start, judged by `remarks`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import redis
from redis.exceptions import NoPermissionError, ResponseError

from toolferry_ledger.server.permissions import find_forbidden


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFacts:
    """How one server is built and set up. What its user may not ask is None."""

    #: "Redis" or "Valkey".
    product: str
    version: str
    is_cluster: bool = False
    is_replica: bool = False
    #: How many replicas are connected to it.
    replicas: int = 0
    #: How many of them are waited for before a call that must not run twice starts.
    awaited_replicas: int = 0
    #: Whether every write is appended to a file.
    appends: bool = True
    #: When that file is forced to the disk: "always", "everysec" or "no".
    fsync: str | None = None
    #: Whether its newest append failed, for example because its disk is full.
    append_failed: bool = False
    #: What it throws away when it is full; "noeviction" for nothing.
    eviction: str = "noeviction"
    #: Bytes that it may use; 0 for as many as there are.
    max_memory: int = 0
    used_memory: int = 0
    #: The commands that are needed, and forbidden to its user or not there at all.
    forbidden: tuple[str, ...] = ()


def read_facts(client: redis.Redis, key_prefix: str, queue_prefix: str) -> ServerFacts:
    """Ask a server: five round trips at the most.

    Args:
        client: Its timeouts bound how long this takes; what it raises is passed on, but for
            commands that its user may not use.
        key_prefix: What the keys of the system start with.
        queue_prefix: What the names of its queues start with; empty when they are elsewhere.
    """
    try:
        info: Mapping[str, Any] = client.info()
    except NoPermissionError:
        return ServerFacts(product="server", version="", forbidden=("INFO",))
    is_valkey = info.get("server_name") == "valkey"
    return ServerFacts(
        product="Valkey" if is_valkey else "Redis",
        version=str(info.get("valkey_version") or info.get("redis_version", "")),
        is_cluster=bool(info.get("cluster_enabled")),
        is_replica=info.get("role") == "slave",
        replicas=int(info.get("connected_slaves", 0)),
        appends=bool(info.get("aof_enabled")),
        fsync=_read_fsync(client),
        append_failed=info.get("aof_last_write_status", "ok") != "ok",
        eviction=str(info.get("maxmemory_policy", "noeviction")),
        max_memory=int(info.get("maxmemory", 0)),
        used_memory=int(info.get("used_memory", 0)),
        forbidden=_read_forbidden(client, key_prefix, queue_prefix),
    )


def _read_fsync(client: redis.Redis) -> str | None:
    try:
        return str(client.config_get("appendfsync")["appendfsync"])
    except (ResponseError, KeyError):  # many hosts keep CONFIG to themselves
        return None


def _read_forbidden(client: redis.Redis, key_prefix: str, queue_prefix: str) -> tuple[str, ...]:
    try:
        return find_forbidden(client, key_prefix, queue_prefix)
    except ResponseError:  # older than Redis 7.0, which is told by its version
        return ()
