"""Counting the commands that something costs the server, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import redis


def commands_of(client: redis.Redis, work: Callable[[], object]) -> dict[str, int]:
    """Count what every one of several runs costs: other processes may ask the server meanwhile."""
    runs = [_count(client, work) for _ in range(5)]
    names = set.intersection(*map(set, runs))
    return {name: min(run[name] for run in runs) for name in names}


def _count(client: redis.Redis, work: Callable[[], object]) -> dict[str, int]:
    before: Any = client.info("commandstats")
    work()
    after: Any = client.info("commandstats")
    grown = {
        name.removeprefix("cmdstat_"): stats["calls"] - before.get(name, {"calls": 0})["calls"]
        for name, stats in after.items()
    }
    return {name: count for name, count in grown.items() if count and name != "info"}
