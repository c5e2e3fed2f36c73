"""Where everything lies in the server. All keys start with `tf:{namespace}:`.

| key                     | type   | holds                                              | ends |
|-------------------------|--------|----------------------------------------------------|------|
| turn:{turn_id}          | hash   | meta, digest, size, open, inboxes, r:{i} = result  | 24 h after its last call |
| call:{turn_id}:{i}      | hash   | spec, sig, state, fence, attempts, times, owner    | 24 h after it ended |
| ready:{lane}:{tenant}   | list   | queued calls that have no notice out yet           | when empty |
| tenants:{lane}          | list   | the tenants with a line, in turn                   | when empty |
| rung:{lane}             | zset   | calls with a notice out, by the notice's number    | when empty |
| timers                  | zset   | open calls, by when someone must act               | when empty |
| state:{state}           | zset   | open calls in that state, by when they came        | when empty |
| lane:{lane}, tool:{tool}| zset   | open calls of that lane or tool, by when they came | when empty |
| running:{owner}         | set    | the calls that a worker runs                       | when empty |
| owners                  | zset   | workers, by when their lease ends                  | 24 h after the last beat |
| slots:{lane}            | hash   | for each live worker how many calls it can run     | 60 s after the last beat |
| window:{lane}           | string | how many notices may be out                        | 60 s after the last beat |
| marks:{lane}            | list   | "when number": notices that had left the queue     | 60 s after the last sweep |
| inbox:{dispatcher}      | stream | the keys of calls that ended                       | 10 min after the last entry |
| sweeper                 | string | somebody sweeps now                                | one round |
| sweeps                  | hash   | the last sweep: when, and of which server run      | 24 h after the last sweep |
| seq:{lane}, popped:{lane}| string| the newest notice's number, the newest claimed     | kept |
| totals                  | hash   | how many calls ended: outcome|lane|tool            | kept |
| tools                   | set    | the names of the tools that were ever called       | kept |
"""

from __future__ import annotations

import re
from typing import Final

from toolferry import Lane

#: What stays for ever: counters and names, bounded by the number of tools and lanes.
KEPT: Final = re.compile(r"^tf:[^:]+:(seq:\w+|popped:\w+|totals|tools)$")


def key_prefix(namespace: str) -> str:
    """Give what all keys of a namespace start with.

    >>> key_prefix("shop")
    'tf:shop:'
    """
    return f"tf:{namespace}:"


def queue_name(namespace: str, lane: Lane) -> str:
    """Name the Celery queue that carries a lane's notices.

    >>> queue_name("shop", Lane.ASYNC)
    'shop.async'
    """
    return f"{namespace}.{lane.value}"
