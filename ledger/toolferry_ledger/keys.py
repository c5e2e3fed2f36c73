"""Where everything lies in the server. All keys start with `tf:{namespace}:`.

* `turn:{turn_id}`, hash: meta, digest, size, open, inboxes, and `r:{position}` for each result.
  Ends 24 h after its last call.
* `call:{turn_id}:{position}`, hash: spec, sig, state, fence, attempts, times, owner, progress.
  Ends 24 h after the call.
* `ready:{lane}:{tenant}`, list: queued calls that have no notice out yet. Ends when empty.
* `tenants:{lane}`, list: the tenants with such a line, in turn. Ends when empty.
* `rung:{lane}`, zset: calls with a notice out, by the notice's number. Ends when empty.
* `timers`, zset: open calls, by when someone must act. Ends when empty.
* `state:{state}`, `lane:{lane}`, `tool:{tool}`, zsets: open calls of each, by when they came.
  End when empty.
* `running:{owner}`, set: the calls that a worker runs. Ends when empty.
* `owners`, zset: workers, by when their lease ends. Ends 24 h after the last beat.
* `slots:{lane}`, hash: how many calls each worker can run. Ends 60 s after the last beat.
* `window:{lane}`, string: how many notices may be out. Ends 60 s after the last beat.
* `marks:{lane}`, list: "when number" of notices that had left the queue. Ends 60 s after a sweep.
* `inbox:{dispatcher}`, stream: calls that ended, each with its result (empty when that is long).
  Ends 10 min after the last entry.
* `sweeper`, string: somebody sweeps now. Ends after a round.
* `sweeps`, hash: the last sweep: when, and of which run of the server. Ends 24 h after it.
* `seq:{lane}`, `popped:{lane}`, strings: the numbers of the newest notice and of the newest
  claimed one. Kept.
* `totals`, hash: how many calls ended, by `{outcome}|{lane}|{tool}`. Kept.
* `tools`, set: the names of the tools that were ever called. Kept.
"""

from __future__ import annotations

import re
from typing import Final

from toolferry import Lane

#: What stays for ever: counters and names, bounded by the number of tools and lanes.
KEPT: Final = re.compile(r"^tf:[^:]+:(seq:\w+|popped:\w+|totals|tools)$")


def queue_prefix(namespace: str) -> str:
    """Give what the names of a namespace's Celery queues start with; a lane's name follows."""
    return f"{namespace}."


def queue_name(namespace: str, lane: Lane) -> str:
    """Name the Celery queue that carries a lane's notices.

    >>> queue_name("shop", Lane.ASYNC)
    'shop.async'
    """
    return f"{queue_prefix(namespace)}{lane.value}"
