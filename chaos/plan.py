"""The plan: which faults come when. Pure: the same seed and length give the same plan.

Four sequences run side by side, so that a worker may be killed while the server is down and another
one frozen: kills, freezes, restarts of the server, and what befalls notices.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FaultKind(StrEnum):
    """What is done to the system."""

    KILL_WORKER = "kill_worker"
    KILL_CHILD = "kill_child"
    KILL_DISPATCHER = "kill_dispatcher"
    #: Only the worker's own process is frozen, for less than a lease lasts.
    FREEZE_WORKER = "freeze_worker"
    FREEZE_CHILD = "freeze_child"
    #: A worker with all its processes, for longer than its lease lasts: it is taken for dead.
    SUSPEND_WORKER = "suspend_worker"
    #: The server is killed, or stopped in the ordinary way, and started on its data.
    KILL_SERVER = "kill_server"
    STOP_SERVER = "stop_server"
    DELETE_NOTICE = "delete_notice"
    DUPLICATE_NOTICE = "duplicate_notice"


#: What counts as a kill, and as a restart.
KILLS: Final = (FaultKind.KILL_WORKER, FaultKind.KILL_CHILD, FaultKind.KILL_DISPATCHER)
RESTARTS: Final = (FaultKind.KILL_SERVER, FaultKind.STOP_SERVER)

#: Seconds between two kills on average. A child is cheap to replace, a worker costs two seconds.
KILL_EVERY: Final = 1.2
FREEZE_EVERY: Final = 4.0
NOTICE_EVERY: Final = 1.5
#: Seconds for which there is one restart, and one at the least.
RESTART_EVERY: Final = 14.0
#: Seconds that a frozen process stays so; a lease lasts 6 s and is renewed every 2 s.
FREEZE: Final = (0.3, 2.5)
#: Seconds that a suspended worker stays so: longer than its lease and the sweep that finds it.
SUSPENSION: Final = (9.0, 11.0)
#: Seconds that the server is down.
DOWN: Final = (0.2, 2.0)

_KILLS: Final = (FaultKind.KILL_CHILD,) * 5 + (FaultKind.KILL_WORKER, FaultKind.KILL_DISPATCHER) * 2
_FREEZES: Final = (
    *(FaultKind.FREEZE_WORKER, FaultKind.FREEZE_CHILD) * 2,
    FaultKind.SUSPEND_WORKER,  # the last: left out where there is no time for it
)
_NOTICES: Final = (FaultKind.DELETE_NOTICE, FaultKind.DUPLICATE_NOTICE)


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of the plan."""

    #: Seconds from the start of the load.
    at: float
    kind: FaultKind
    #: Picks the victim among those that there are then, in [0, 1).
    pick: float
    #: Seconds that it lasts; 0 when it is over at once.
    lasts: float = 0.0


def kills(seed: int, seconds: float) -> Iterator[Fault]:
    """Plan the kills."""
    dice = random.Random(f"{seed}:kills")  # noqa: S311 -- to be drawn again, no secret
    at = KILL_EVERY
    while at < seconds:
        yield Fault(at, dice.choice(_KILLS), dice.random())
        at += KILL_EVERY * dice.uniform(0.5, 1.5)


def freezes(seed: int, seconds: float) -> Iterator[Fault]:
    """Plan the freezes, one after the other; each ends before the next begins."""
    dice = random.Random(f"{seed}:freezes")  # noqa: S311 -- as above
    at = FREEZE_EVERY / 2
    while at < seconds:
        fits = at + SUSPENSION[1] < seconds
        kind = dice.choice(_FREEZES if fits else _FREEZES[:-1])
        lasts = dice.uniform(*(SUSPENSION if kind is FaultKind.SUSPEND_WORKER else FREEZE))
        yield Fault(at, kind, dice.random(), lasts)
        at += lasts + FREEZE_EVERY * dice.uniform(0.2, 1.0)


def restarts(seed: int, seconds: float) -> Iterator[Fault]:
    """Plan the restarts of the server, in turn by a kill and in the ordinary way."""
    dice = random.Random(f"{seed}:restarts")  # noqa: S311 -- as above
    count = max(1, int(seconds / RESTART_EVERY))
    for number in range(count):
        at = seconds * (number + dice.uniform(0.3, 0.7)) / count
        yield Fault(at, RESTARTS[number % 2], dice.random(), dice.uniform(*DOWN))


def notices(seed: int, seconds: float) -> Iterator[Fault]:
    """Plan what befalls notices."""
    dice = random.Random(f"{seed}:notices")  # noqa: S311 -- as above
    at = NOTICE_EVERY
    while at < seconds:
        yield Fault(at, dice.choice(_NOTICES), dice.random())
        at += NOTICE_EVERY * dice.uniform(0.5, 1.5)
