"""Where everything lies in the server. All keys start with `tf:{namespace}:`.

A route is `{queue}.{lane}.{priority}`, a pool `{queue}.{lane}`.

What is kept for a while after its end is kept as `Keeping` says.

* `turn:{turn_id}`, hash: meta, digest, size, open, inboxes, `r:{position}` for each result,
  `a:{position}` for what the model was told instead because it took too long, and `d:{position}`
  for what was judged of a call that was refused, signed. Kept after its last call.
* `call:{turn_id}:{position}`, hash: spec, sig, state, fence, attempts, times, owner, progress,
  checkpoint, cancel, decision, grants, uses_left; asked and asked_sig where it was edited
  and is audited; artifact, of a result that was cut. Kept after the call; after one that ended
  while it waited, after all that it waited for has ended, 8 days at the most.
* `history:{turn_id}:{position}`, list: "owner counted|late note" of attempts. Kept as long as that.
* `dead`, zset: the dead letters, by when they ended. Each is kept for `TOOLFERRY_KEEP_DEAD`.
* `settled`, zset: those of them that a replay settled. Each is kept as long.
* `events`, stream: what programs that listen shall hear of: late results, dead letters, replays.
* `late:{length of the tenant's name}:{tenant}:{conversation}`, list: calls that ended after the
  conversation had gone on without them, the last thousand.
* `cancelling`, zset: running calls that were withdrawn, by when. Ends when empty.
* `orders:{owner}`, list: the calls that a worker is to stop. Ends 60 s after the last order.
* `holding:{owner}`, set: ended calls whose handler may still run, with what they hold. Ends when
  empty.
* `failing:{tool}`, `shed:{tool}`, strings: its faults in a row; that it rests. End by themselves.
* `next:{turn_id}:{position}`, list: the calls that wait for this one. Ends when it has passed.
* `writer:{resource}`, string, and `readers:{resource}`, set: the last call that writes a resource,
  and those that read it since; whoever comes next waits for them. End when those have passed.
* `busy:{limit}`, set: the calls that have a place under a limit: they run, or are about to. Ends
  when empty.
* `parked:{limit}`, zset: queued calls that wait for a place, the most urgent first, then by when
  they came. Ends when empty.
* `budget:{scope}:{period}:{length of the tenant's name}:{tenant}:{name}`, hash: what the calls of a
  conversation or principal came to, by unit. Ends after its period, or 30 days after its last call.
* `repeats:{length of the tenant's name}:{tenant}:{conversation}`, hash: how often each call was
  made, by its fingerprint, a thousand at the most. Ends as `LoopGuard.forget_after` says.
* `allowance:{id}`, hash: a standing approval: text, sig, left (uses), whose, tool. Ends with it.
* `allowances`, zset: all of them by when they end, and `allowed:{whose}`, zset: those for calls of
  one tool, tenant and principal. End with the last of them.
* `started:{rate}`, zset: when calls of a rate started, or were sent on. Ends with its time.
* `paced:{rate}`, zset: queued calls that wait for a rate, as `parked`. Ends when empty.
* `paces`, zset: the rates that calls wait for, by when they have room. Ends when empty.
* `ready:{route}:{tenant}`, list: queued calls that have no notice out yet. Ends when empty.
* `tenants:{route}`, list: the tenants with such a line, in turn. Ends when empty.
* `rung:{route}`, zset: calls with a notice out, by the notice's number. Ends when empty.
* `timers`, zset: open calls, by when someone must act. Ends when empty.
* `state:{state}`, `lane:{lane}`, `tool:{tool}`, zsets: open calls of each, by when they came.
  End when empty.
* `running:{owner}`, set: the calls that a worker runs. Ends when empty.
* `owners`, zset: workers, by when their lease ends. Ends 8 days after the last beat.
* `pools`, set: the pools that had a worker. Ends 24 h after the last beat.
* `slots:{pool}`, hash: how many calls each worker can run. Ends 60 s after the last beat.
* `window:{pool}`, string: how many notices of a route may be out. Ends 60 s after the last beat.
* `marks:{route}`, list: "when number" of notices that had left the queue. Ends 60 s after a sweep.
* `offers`, hash: what each worker offers: lane, queues, id of its definitions; empty while it
  drains. Ends 60 s after the last beat.
* `definitions:{id}`, string: the signed definitions of some tools. Ends 60 s after the last beat of
  a worker that offers them, or 30 days after they were declared.
* `declared`, string: the id of the definitions that an operator declared. Ends 30 days after that.
* `inbox:{dispatcher}`, stream: calls that ended, each with its result (empty when that is long).
  Ends 10 min after the last entry.
* `sweeper`, string: somebody sweeps now. Ends after a round.
* `sweeps`, hash: the last sweep: when, of which run of the server, and until when no lease is
  believed to have ended. Ends 24 h after it.
* `seq:{route}`, `popped:{route}`, strings: the numbers of the newest notice and of the newest
  claimed one. Kept.
* `totals`, hash: how many calls ended, by `{outcome}|{lane}|{tool}`. Kept.
* `audit`, stream: what happened to calls and is not sealed in a file yet, about 100,000 entries.
  Kept; empty where nothing waits. It and all `audit:…` are there only with `TOOLFERRY_AUDIT`.
* `audit:head`, hash: number and hash of its newest entry. Kept.
* `audit:sealed`, string: the newest seal of the files. Kept.
* `audit:lost`, string: how many entries could not be written. Kept.
* `audit:sealer`, string: who seals now. Ends 10 s after its last round.
* `audit:trouble`, string: why the newest round of the sealer failed. Ends 60 s after it.
* `tools`, `routes`, sets: the names of the tools that were ever called, and their routes. Kept.
"""

from __future__ import annotations

import re
from typing import Final

from toolferry_ledger.route import Route

#: What stays for ever: counters and names, bounded by the number of tools and routes.
KEPT: Final = re.compile(
    r"^tf:[^:]+:(seq:[^:]+|popped:[^:]+|totals|tools|routes|audit(:head|:sealed|:lost)?)$"
)


def queue_prefix(namespace: str) -> str:
    """Give what the names of a namespace's Celery queues start with; a route follows."""
    return f"{namespace}."


def queue_name(namespace: str, route: Route) -> str:
    """Name the Celery queue that carries a route's notices.

    >>> queue_name("shop", Route.read("default.async.normal"))
    'shop.default.async.normal'
    """
    return f"{queue_prefix(namespace)}{route}"
