"""The faults: what the plan says is done to the processes, the server and the notices.

Each fault is written down as it is done, with the processes that it hits, so that the verdict can
tell what died when. A fault that finds no victim is not done and not counted.
"""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import redis

from chaos.crew import Crew
from chaos.journal import RunFolder, append
from chaos.plan import Fault, FaultKind, freezes, kills, notices, restarts
from chaos.processes import children_of, family_of, send
from chaos.server import ChaosServer
from toolferry import Lane
from toolferry_ledger import Pool, queue_name

T = TypeVar("T")

#: Seconds that are spent on getting hold of a notice.
NOTICE_PATIENCE: Final = 1


class Faults:
    """Does the faults of a run, in threads of its own.

    Args:
        folder: Of the run.
        server: The server.
        crew: The other processes.
    """

    def __init__(self, folder: RunFolder, server: ChaosServer, crew: Crew) -> None:
        self._journal = folder.faults
        self._server = server
        self._crew = crew
        self._over = threading.Event()
        self._frozen = frozenset[int]()
        self._threads: list[threading.Thread] = []
        self._acts: dict[FaultKind, Callable[[Fault], None]] = {
            FaultKind.KILL_WORKER: self._kill_worker,
            FaultKind.KILL_CHILD: self._kill_child,
            FaultKind.KILL_DISPATCHER: self._kill_dispatcher,
            FaultKind.FREEZE_WORKER: self._freeze_worker,
            FaultKind.FREEZE_CHILD: self._freeze_child,
            FaultKind.SUSPEND_WORKER: self._suspend_worker,
            FaultKind.KILL_SERVER: self._restart,
            FaultKind.STOP_SERVER: self._restart,
            FaultKind.DELETE_NOTICE: self._delete_notice,
            FaultKind.DUPLICATE_NOTICE: self._duplicate_notice,
        }
        pools = [Pool(lane) for lane in Lane]
        self._queues = [
            queue_name(server.settings.namespace, route) for pool in pools for route in pool.routes
        ]

    def start(self, seed: int, seconds: float) -> None:
        """Begin, all four sequences of the plan side by side."""
        began = time.monotonic()
        for plan in (kills, freezes, restarts, notices):
            sequence = list(plan(seed, seconds))
            thread = threading.Thread(target=self._do_all, args=(sequence, began), daemon=True)
            self._threads.append(thread)
            thread.start()

    def wait(self) -> None:
        """Wait until all has been done, and what was frozen goes on."""
        for thread in self._threads:
            thread.join()

    def stop(self) -> None:
        """Do no more."""
        self._over.set()
        self.wait()

    def _do_all(self, sequence: Iterable[Fault], began: float) -> None:
        for fault in sequence:
            if self._over.wait(max(0.0, began + fault.at - time.monotonic())):
                return
            self._acts[fault.kind](fault)

    def _note(self, fault: Fault, **keys: Any) -> None:
        append(self._journal, fault.kind.value, keys)

    def _kill(self, fault: Fault, pid: int | None) -> None:
        if pid is None:
            return
        dying = family_of(pid)  # what a worker has started dies with it
        self._note(fault, pids=dying)
        send(pid, signal.SIGKILL)

    def _kill_worker(self, fault: Fault) -> None:
        self._kill(fault, _picked(self._expendable(), fault))

    def _kill_child(self, fault: Fault) -> None:
        self._kill(fault, _picked(self._child_pids(), fault))

    def _kill_dispatcher(self, fault: Fault) -> None:
        self._kill(fault, _picked(self._crew.dispatcher_pids(), fault))

    def _freeze(self, fault: Fault, pids: Sequence[int]) -> None:
        frozen = [pid for pid in pids if send(pid, signal.SIGSTOP)]
        if not frozen:
            return
        self._note(fault, pids=frozen, lasts=fault.lasts)
        self._frozen = frozenset(frozen)
        self._over.wait(fault.lasts)
        for pid in frozen:
            send(pid, signal.SIGCONT)
        self._frozen = frozenset()

    def _freeze_worker(self, fault: Fault) -> None:
        pid = _picked(self._worker_pids(), fault)
        self._freeze(fault, [pid] if pid else [])

    def _freeze_child(self, fault: Fault) -> None:
        pid = _picked(self._child_pids(), fault)
        self._freeze(fault, [pid] if pid else [])

    def _suspend_worker(self, fault: Fault) -> None:
        pid = _picked(self._expendable(), fault)
        self._freeze(fault, family_of(pid) if pid else [])

    def _restart(self, fault: Fault) -> None:
        number = signal.SIGKILL if fault.kind is FaultKind.KILL_SERVER else signal.SIGTERM
        self._note(fault, pids=[self._server.pid])
        self._server.restart(number, fault.lasts)
        append(self._journal, "server_back", {})

    def _delete_notice(self, fault: Fault) -> None:
        found = self._take_notice()
        if found:
            self._note(fault, keys=_keys_in(found[1]))

    def _duplicate_notice(self, fault: Fault) -> None:
        found = self._take_notice()
        if found:
            with suppress(redis.RedisError):
                self._server.client.rpush(found[0], found[1], found[1])
                self._note(fault, keys=_keys_in(found[1]))
                return
            # Half of it was done: nobody knows whether the notice is back.
            append(self._journal, FaultKind.DELETE_NOTICE.value, {"keys": _keys_in(found[1])})

    def _take_notice(self) -> tuple[str, str] | None:
        """Take a notice as a worker would, in line with them; None when none came."""
        with suppress(redis.RedisError):
            found: Any = self._server.client.brpop(self._queues, timeout=NOTICE_PATIENCE)
            return (found[0], found[1]) if found else None
        return None

    def _worker_pids(self) -> list[int]:
        return [pid for lane in Lane for pid in self._crew.worker_pids(lane)]

    def _expendable(self) -> list[int]:
        """Give the workers whose lane has another one that takes calls meanwhile."""
        found: list[int] = []
        for lane in Lane:
            ready = [pid for pid in self._crew.ready_pids(lane) if pid not in self._frozen]
            found += ready if len(ready) > 1 else []
        return found

    def _child_pids(self) -> list[int]:
        workers = self._crew.worker_pids(Lane.PROCESS)
        return [child for pid in workers for child in children_of(pid)]


def _picked(victims: Sequence[T], fault: Fault) -> T | None:
    return victims[int(fault.pick * len(victims))] if victims else None


def _keys_in(message: str) -> list[str]:
    body = json.loads(json.loads(message)["body"])
    return [str(key) for key, _ in body[0][0]]
