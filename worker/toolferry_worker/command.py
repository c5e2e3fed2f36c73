"""The command that starts a worker process."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from toolferry import Lane

#: The stock Celery pool that each lane runs on.
POOLS: Final[Mapping[Lane, str]] = MappingProxyType({Lane.ASYNC: "solo", Lane.PROCESS: "prefork"})


def command(
    lane: Lane, *, tools: str, concurrency: int | None = None, queues: str | None = None
) -> list[str]:
    """Give the arguments that start one worker with this Python, from any folder.

    The server and the namespace come from the environment, see `Settings.environment`. The worker
    prints `worker.ready` and has its lease in the ledger once it takes calls.

    Args:
        lane: Which calls it runs.
        tools: The modules that define its tools, separated by commas.
        concurrency: How many calls at once; the lane's default when not given.
        queues: The queues that it serves, separated by commas; `default` when not given.

    >>> command(Lane.ASYNC, tools="shop.tools")[-7:]
    ['toolferry_worker', '--hostname', 'async@%h', '--pool', 'solo', '--tools', 'shop.tools']
    """
    arguments = ["--hostname", f"{lane.value}@%h", "--pool", POOLS[lane], "--tools", tools]
    if concurrency is not None:
        arguments += ["--concurrency", str(concurrency)]
    if queues is not None:
        arguments += ["--serve", queues]
    return [sys.executable, "-m", "toolferry_worker", *arguments]
