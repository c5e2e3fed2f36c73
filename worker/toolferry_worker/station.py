"""The station: what one worker process is, decided once at its start."""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass, field
from typing import Any, Final

from toolferry import DEFAULT_QUEUE, Lane, Registry
from toolferry_ledger import Pool, Settings, Signer
from toolferry_worker.peers import NOBODY, Peers

#: Seconds that running calls have to end when a worker is told to stop: under the 30 s after which
#: Docker and Kubernetes kill.
DRAIN_GRACE: Final = 25.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """Which worker this is and what it works with."""

    settings: Settings
    lane: Lane
    #: The name under which it holds its lease; no other process ever has it.
    owner: str
    #: The queues that it serves, one or more.
    queues: tuple[str, ...] = (DEFAULT_QUEUE,)
    #: How many calls it runs at once.
    slots: int
    registry: Registry
    signer: Signer
    #: The other workers; nobody in a system of one.
    peers: Peers = NOBODY
    #: Seconds that running calls have when the worker is told to stop, 0 or more.
    grace: float = DRAIN_GRACE
    #: How many handlers of an async worker may run on after their limit before it replaces itself.
    max_stuck: int = 128
    #: Seconds without a message after which a worker looks whether it takes any; 0: it does not.
    probe_after: float = 30.0
    #: After how many calls a child of a process worker is replaced; None: never.
    max_tasks_per_child: int | None = None
    #: With how many KiB of memory a child is replaced; None: never.
    max_memory_per_child: int | None = None
    #: What the lifespans of this process provide, by type; filled before it takes its first call.
    provided: dict[type[Any], Any] = field(default_factory=dict, repr=False)

    @property
    def pools(self) -> tuple[Pool, ...]:
        """The pools that it belongs to, one for each queue."""
        return tuple(Pool(self.lane, queue) for queue in self.queues)


def owner_name(lane: Lane) -> str:
    """Make a name for this worker that people can place and nobody else has."""
    return f"{lane.value}.{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(3)}"
