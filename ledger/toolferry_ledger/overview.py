"""The overview: how a whole system stands, read in two round trips, also with no worker alive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import redis

from toolferry import OPEN_STATES, SCHEMA_VERSION, CallState, Lane, Outcome


@dataclass(frozen=True, slots=True)
class WorkerView:
    """One worker as the ledger knows it."""

    owner: str
    lane: Lane
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
                    "slots": worker.slots,
                    "running": worker.running,
                    "lease_seconds": worker.lease_seconds,
                }
                for worker in self.workers
            ],
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
        pipe.smembers(f"{prefix}tools")
        pipe.hgetall(f"{prefix}totals")
        for lane in Lane:
            pipe.hgetall(f"{prefix}slots:{lane.value}")
            pipe.zcard(f"{prefix}lane:{lane.value}")
        for state in _STATES:
            pipe.zcard(f"{prefix}state:{state.value}")
            pipe.zrange(f"{prefix}state:{state.value}", 0, 0, withscores=True)
        (whole, _), owners, tools, totals, *rest = pipe.execute()
    per_lane, per_state = rest[: 2 * len(Lane)], rest[2 * len(Lane) :]
    now = int(whole) * 1000
    slots = dict(zip(Lane, per_lane[::2], strict=True))
    leases = {owner: (lease - now) / 1000 for owner, lease in owners}
    names = sorted(tools)
    counts, running = _count_open(client, prefix, names, list(leases))
    return Overview(
        states=_states(per_state, now),
        lanes=dict(zip(Lane, per_lane[1::2], strict=True)),
        tools={name.decode(): count for name, count in zip(names, counts, strict=True) if count},
        workers=_workers(slots, leases, dict(zip(leases, running, strict=True))),
        outcomes=_outcomes(totals),
    )


_STATES = [state for state in CallState if state in OPEN_STATES]


def _count_open(
    client: redis.Redis, prefix: str, tools: Sequence[bytes], owners: Sequence[bytes]
) -> tuple[list[int], list[int]]:
    """Count the open calls of each tool and the running ones of each worker."""
    with client.pipeline(transaction=False) as pipe:
        for tool in tools:
            pipe.zcard(prefix.encode() + b"tool:" + tool)
        for owner in owners:
            pipe.scard(prefix.encode() + b"running:" + owner)
        counts = pipe.execute()
    return counts[: len(tools)], counts[len(tools) :]


def _states(replies: Sequence[Any], now: int) -> dict[CallState, StateView]:
    return {
        state: StateView(count, max(0.0, (now - first[0][1]) / 1000) if first else None)
        for state, count, first in zip(_STATES, replies[::2], replies[1::2], strict=True)
    }


def _workers(
    slots: Mapping[Lane, Mapping[bytes, bytes]],
    leases: Mapping[bytes, float],
    running: Mapping[bytes, int],
) -> list[WorkerView]:
    return [
        WorkerView(owner.decode(), lane, int(count), running.get(owner, 0), leases[owner])
        for lane, owners in slots.items()
        for owner, count in sorted(owners.items())
        if owner in leases
    ]


def _outcomes(totals: Mapping[bytes, bytes]) -> dict[Outcome, int]:
    counts = dict.fromkeys(Outcome, 0)
    for field, count in totals.items():
        counts[Outcome(field.decode().split("|", 1)[0])] += int(count)
    return counts
