"""Real worker processes, started, listened to, and ended by the tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE, wait_until
from toolferry import Lane
from toolferry_ledger import Settings
from toolferry_worker import command

ROOT = Path(__file__).parents[2]
TOOLS_MODULE = "tests.worker.tools_sample,tests.worker.tools_hooks,tests.worker.tools_results"


#: Starts a worker of a lane; with the options of `RunningWorker`.
Start = Callable[..., "RunningWorker"]


class RunningWorker:
    """One worker process.

    Args:
        settings: Its system.
        lane: Its lane.
        concurrency: How many calls it may run at once.
        environment: More variables for it.
        tools: The modules that define its tools.
        application: The module of its Celery application, to start it with the `celery` program.
    """

    def __init__(
        self,
        settings: Settings,
        lane: Lane,
        concurrency: int | None = None,
        environment: dict[str, str] | None = None,
        tools: str = TOOLS_MODULE,
        application: str | None = None,
    ) -> None:
        self.events: list[dict[str, Any]] = []
        self.lines: list[str] = []
        ours = command(lane, tools=tools, concurrency=concurrency)
        self._process = subprocess.Popen(
            ours if application is None else _celerys(ours, application),
            env={**os.environ, **settings.environment(), **(environment or {})},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def wait_for(self, event: str, **keys: Any) -> dict[str, Any]:
        """Wait for a line of the log, and give it."""

        def find() -> dict[str, Any] | None:
            if self._process.poll() is not None:
                self._reader.join()
            fits = (one for one in list(self.events) if {**one, **keys, "event": event} == one)
            found = next(fits, None)
            if found is None and self._process.poll() is not None:
                raise AssertionError(f"the worker has ended: {self.lines}")
            return found

        found: dict[str, Any] = wait_until(find, f"{event} {keys}")
        return found

    def ready(self) -> RunningWorker:
        """Wait until it takes calls."""
        self.wait_for("worker.ready")
        return self

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def ended(self) -> int:
        """Wait until it has ended by itself and give its exit code."""
        code = self._process.wait(PATIENCE)
        self._reader.join()
        if self._process.stdout:
            self._process.stdout.close()
        return code

    def stop(self) -> int:
        """Have it end in the ordinary way."""
        if self._process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(signal.SIGTERM)
        return self.ended()

    def kill(self) -> None:
        """End it at once."""
        self.send(signal.SIGKILL)
        self.ended()

    def finish_off(self) -> None:
        """End it however it is."""
        if self._process.poll() is None:
            self.kill()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self.lines.append(line)
            if line.startswith("{"):
                self.events.append(json.loads(line))


def _celerys(ours: list[str], application: str) -> list[str]:
    """Give the command that starts the same worker with the `celery` program."""
    options = ours[ours.index("--hostname") :]
    return [sys.executable, "-m", "celery", "--quiet", "-A", application, "worker", *options]
