"""The overview: how a whole system stands, read in two round trips, also with no worker alive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis

from toolferry import OPEN_STATES, SCHEMA_VERSION, CallState, Lane, Outcome
from toolferry_ledger.replies import read_clock
from toolferry_ledger.route import Pool, Route


@dataclass(frozen=True, slots=True)
class WorkerView:
    """One worker as the ledger knows it."""

    owner: str
    lane: Lane
    #: The queues that it serves.
    queues: tuple[str, ...]
    #: How many calls it can run at once.
    slots: int
    #: How many it runs.
    running: int
    #: Seconds until its lease ends; below 0 it is taken for dead.
    lease_seconds: float


@dataclass(frozen=True, slots=True)
class StateView:
    """The open calls in one state."""

    count: int
    #: Seconds since the oldest of them was asked for; None when there is none.
    oldest_seconds: float | None


@dataclass(frozen=True, slots=True)
class Overview:
    """How a system stands at one moment."""

    states: Mapping[CallState, StateView]
    #: Open calls of each lane and of each tool that has some.
    lanes: Mapping[Lane, int]
    tools: Mapping[str, int]
    workers: Sequence[WorkerView]
    #: The pools that calls were made for; each needs a worker.
    pools: frozenset[Pool]
    #: The tools that failed too often and rest: seconds until each is tried again.
    resting: Mapping[str, float]
    #: How many dead letters nobody has settled.
    dead_letters: int
    #: Calls that have ended since the system was made.
    outcomes: Mapping[Outcome, int]

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {
            "schema_version": SCHEMA_VERSION,
            "states": {
                state.value: {"count": view.count, "oldest_seconds": view.oldest_seconds}
                for state, view in self.states.items()
            },
            "lanes": {lane.value: count for lane, count in self.lanes.items()},
            "tools": dict(self.tools),
            "workers": [
                {
                    "owner": worker.owner,
                    "lane": worker.lane.value,
                    "queues": list(worker.queues),
                    "slots": worker.slots,
                    "running": worker.running,
                    "lease_seconds": worker.lease_seconds,
                }
                for worker in self.workers
            ],
            "resting": dict(self.resting),
            "dead_letters": self.dead_letters,
            "outcomes": {outcome.value: count for outcome, count in self.outcomes.items()},
        }


def read_overview(client: redis.Redis, prefix: str) -> Overview:
    """Read how a system stands.

    Args:
        client: Of the server.
        prefix: What the system's keys start with.
    """
    with client.pipeline(transaction=False) as pipe:
        pipe.time()
        pipe.zrange(f"{prefix}owners", 0, -1, withscores=True)
        pipe.smembers(f"{prefix}pools")
        pipe.smembers(f"{prefix}routes")
        pipe.smembers(f"{prefix}tools")
        pipe.hgetall(f"{prefix}totals")
        pipe.zcard(f"{prefix}dead")
        for lane in Lane:
            pipe.zcard(f"{prefix}lane:{lane.value}")
        for state in _STATES:
            pipe.zcard(f"{prefix}state:{state.value}")
            pipe.zrange(f"{prefix}state:{state.value}", 0, 0, withscores=True)
        clock, owners, pools, routes, tools, totals, dead, *rest = pipe.execute()
    now = read_clock(clock)
    leases = {owner: (lease - now) / 1000 for owner, lease in owners}
    names = sorted(tools)
    with client.pipeline(transaction=False) as pipe:
        for tool in names:
            pipe.zcard(prefix.encode() + b"tool:" + tool)
        for owner in leases:
            pipe.scard(prefix.encode() + b"running:" + owner)
        for pool in sorted(pools):
            pipe.hgetall(prefix.encode() + b"slots:" + pool)
        for tool in names:
            pipe.pttl(prefix.encode() + b"shed:" + tool)
        found = pipe.execute()
    counts, rests = found[: len(found) - len(names)], found[len(found) - len(names) :]
    running = dict(zip(leases, counts[len(names) :], strict=False))
    slots = dict(zip(sorted(pools), counts[len(names) + len(leases) :], strict=True))
    return Overview(
        states=_states(rest[len(Lane) :], now),
        lanes=dict(zip(Lane, rest, strict=False)),
        tools={name.decode(): count for name, count in zip(names, counts, strict=False) if count},
        workers=_workers(slots, leases, running),
        pools=frozenset(Route.read(route.decode()).pool for route in routes),
        resting={
            name.decode(): rest / 1000 for name, rest in zip(names, rests, strict=True) if rest > 0
        },
        dead_letters=dead,
        outcomes=_outcomes(totals),
    )


def read_served(client: redis.Redis, prefix: str) -> set[Pool]:
    """Read which pools have a live worker.

    Args:
        client: Of the server.
        prefix: What the system's keys start with.
    """
    with client.pipeline(transaction=False) as pipe:
        pipe.time()
        pipe.zrange(f"{prefix}owners", 0, -1, withscores=True)
        pipe.smembers(f"{prefix}pools")
        clock, owners, pools = pipe.execute()
        for pool in pools:
            pipe.hkeys(prefix.encode() + b"slots:" + pool)
        slots = pipe.execute()
    live = {owner for owner, lease in owners if lease > read_clock(clock)}
    return {
        Pool.read(pool.decode())
        for pool, known in zip(pools, slots, strict=True)
        if live.intersection(known)
    }


_STATES = [state for state in CallState if state in OPEN_STATES]


def _states(replies: Sequence[Any], now: int) -> dict[CallState, StateView]:
    return {
        state: StateView(count, max(0.0, (now - first[0][1]) / 1000) if first else None)
        for state, count, first in zip(_STATES, replies[::2], replies[1::2], strict=True)
    }


def _workers(
    slots: Mapping[bytes, Mapping[bytes, bytes]],
    leases: Mapping[bytes, float],
    running: Mapping[bytes, int],
) -> list[WorkerView]:
    served: dict[bytes, list[Pool]] = {}
    for pool, owners in slots.items():
        for owner in owners:
            served.setdefault(owner, []).append(Pool.read(pool.decode()))
    views = [
        WorkerView(
            owner=owner.decode(),
            lane=pools[0].lane,
            queues=tuple(pool.queue for pool in pools),
            slots=int(slots[str(pools[0]).encode()][owner]),
            running=running.get(owner, 0),
            lease_seconds=leases[owner],
        )
        for owner, pools in served.items()
        if owner in leases
    ]
    return sorted(views, key=lambda view: (view.lane, view.owner))


def _outcomes(totals: Mapping[bytes, bytes]) -> dict[Outcome, int]:
    counts = dict.fromkeys(Outcome, 0)
    for field, count in totals.items():
        counts[Outcome(field.decode().split("|", 1)[0])] += int(count)
    return counts
