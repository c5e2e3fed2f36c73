"""The crew: the workers and dispatchers of a run, each started again whenever it has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from chaos.journal import RunFolder, append
from chaos.processes import send
from toolferry import Lane
from toolferry_worker import command

#: The modules that the workers load.
TOOLS: Final = "chaos.tools"
#: Where `python -m` finds this package.
ROOT: Final = Path(__file__).parents[1]
#: Calls at once of each worker: few, so that calls also wait in queues.
SLOTS: Final[Mapping[Lane, int]] = {Lane.ASYNC: 8, Lane.PROCESS: 3}
#: Workers of each lane.
PER_LANE: Final = 2
#: Seconds between two looks at the processes.
LOOK_EVERY: Final = 0.05
#: Seconds for a process to end when it is asked to: longer than the grace of a worker's calls.
STOP_PATIENCE: Final = 35.0
#: Seconds for a worker that does not end to write down in its log what its threads do.
CRY_PATIENCE: Final = 1.0


class Member:
    """One process that is started again when it has ended. Not thread-safe.

    Args:
        name: Names its log.
        arguments: The command.
        environment: All of its variables.
        log: The file that gets what it prints.
    """

    #: What a worker prints once it takes calls.
    READY: Final = b"worker.ready"

    def __init__(
        self, name: str, arguments: Sequence[str], environment: Mapping[str, str], log: Path
    ) -> None:
        self.name = name
        self._arguments = arguments
        self._environment = environment
        self._log = log
        self._process = self._start()

    @property
    def pid(self) -> int:
        """Its process, the newest."""
        return self._process.pid

    @property
    def has_finished(self) -> bool:
        """Whether it ended by itself and well."""
        return self._process.poll() == 0

    @property
    def is_ready(self) -> bool:
        """Whether this process, and not one before it, has said that it takes calls."""
        with self._log.open("rb") as log:
            log.seek(self._log_begins)
            return self.READY in log.read()

    def keep_up(self) -> int | None:
        """Start it again if it has ended; give its exit code then, below 0 for a signal."""
        code = self._process.poll()
        if code is not None:
            self._process = self._start()
        return code

    def stop(self) -> bool:
        """Have it end; False when that took too long, and it had to be killed."""
        for number in (signal.SIGCONT, signal.SIGTERM):
            send(self.pid, number)
        try:
            self._process.wait(STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            send(self.pid, signal.SIGUSR1)  # Celery's signal for the stacks of all threads
            time.sleep(CRY_PATIENCE)
            self._process.kill()
            self._process.wait()
            return False
        return True

    def _start(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            self._log_begins = log.tell()
            return subprocess.Popen(  # noqa: S603 -- our own programs
                self._arguments,
                env=self._environment,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


class Crew:
    """All processes of a run but the server. Thread-safe.

    Args:
        folder: Of the run.
        environment: Makes each of them part of the system.
    """

    def __init__(self, folder: RunFolder, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = {**os.environ, **environment}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.workers = {
            (lane, number): self._member(
                f"worker-{lane.value}-{number}",
                command(lane, tools=TOOLS, concurrency=SLOTS[lane]),
            )
            for lane in Lane
            for number in range(PER_LANE)
        }
        self.dispatchers: list[Member] = []
        self._keeper = threading.Thread(target=self._keep_up, name="crew", daemon=True)
        self._keeper.start()

    def dispatch(self, count: int, arguments: Sequence[str]) -> None:
        """Start so many dispatchers.

        Args:
            count: How many.
            arguments: What each is told, but for its slot.
        """
        program = [sys.executable, "-m", "chaos.dispatching", *arguments, "--slot"]
        with self._lock:
            self.dispatchers += [
                self._member(f"dispatcher-{slot}", [*program, str(slot)]) for slot in range(count)
            ]

    def worker_pids(self, lane: Lane) -> list[int]:
        """Give the worker processes of a lane."""
        with self._lock:
            return [member.pid for (of, _), member in self.workers.items() if of is lane]

    def ready_pids(self, lane: Lane) -> list[int]:
        """Give those of them that take calls."""
        with self._lock:
            return [
                member.pid
                for (of, _), member in self.workers.items()
                if of is lane and member.is_ready
            ]

    def dispatcher_pids(self) -> list[int]:
        """Give the dispatchers that have not finished."""
        with self._lock:
            return [one.pid for one in self.dispatchers if not one.has_finished]

    def wait_dispatchers(self, until: float) -> bool:
        """Wait until all dispatchers have finished; False at that time of the monotonic clock."""
        while time.monotonic() < until:
            if not self.dispatcher_pids():
                return True
            time.sleep(LOOK_EVERY)
        return False

    def stop(self) -> None:
        """Have all of them end."""
        self._over.set()
        self._keeper.join()
        members = [*self.dispatchers, *self.workers.values()]
        stoppers = [threading.Thread(target=self._stop, args=(member,)) for member in members]
        for stopper in stoppers:
            stopper.start()
        for stopper in stoppers:
            stopper.join()

    def _member(self, name: str, arguments: Sequence[str]) -> Member:
        return Member(name, arguments, self._environment, self._folder.log(name))

    def _keep_up(self) -> None:
        while not self._over.wait(LOOK_EVERY):
            with self._lock:
                waiting = [one for one in self.dispatchers if not one.has_finished]
                for member in (*self.workers.values(), *waiting):
                    self._note_exit(member.name, member.keep_up())

    def _stop(self, member: Member) -> None:
        if not member.stop():
            append(self._folder.faults, "hung", {"name": member.name})

    def _note_exit(self, name: str, code: int | None) -> None:
        if code is not None and code >= 0:  # nobody killed it
            append(self._folder.faults, "exit", {"name": name, "code": code})
