"""A child process that is kept up: started, listened to, restarted when it dies, stopped.

1. It is started in a session of its own, so that Ctrl-C reaches only us and we decide.
2. A thread reads its output line by line and hands each line on.
3. When it ends by itself it is started again, after a wait that doubles with each early death.
4. `ask_to_stop` sends SIGTERM: it finishes what it runs and takes nothing new.
5. `wait_stopped` waits for that; past the grace it is killed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

#: Seconds before a restart: after the first death, and at the most.
_FIRST_WAIT: Final = 0.5
_LONGEST_WAIT: Final = 15.0
#: A process that lived this many seconds was well: its next death counts as the first.
_WELL_AFTER: Final = 30.0
#: Seconds that remaining output is waited for after the process has gone.
_OUTPUT_PATIENCE: Final = 1.0
#: How many of its last lines are remembered.
_REMEMBERED_LINES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run."""

    #: What people call it, such as "async".
    name: str
    command: Sequence[str]
    #: The whole environment of the process.
    environment: Mapping[str, str]


class KeptProcess:
    """One program, kept up from `start` until it is asked to stop.

    Args:
        program: What to run.
        hear: Gets each line that it prints, without its end, from a thread.
    """

    def __init__(self, program: Program, hear: Callable[[str], None]) -> None:
        self.program = program
        #: How often it has ended by itself since it was last well.
        self.early_deaths = 0
        self._hear = hear
        self._lines: deque[str] = deque(maxlen=_REMEMBERED_LINES)
        self._stopping = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._swap = threading.Lock()
        self._keeper = threading.Thread(target=self._keep, name=f"keep-{program.name}", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process that runs now; None between two."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    @property
    def has_stopped(self) -> bool:
        """Whether it was asked to stop and has gone."""
        return self._stopping.is_set() and not self._keeper.is_alive()

    @property
    def last_words(self) -> str:
        """The last line with ink that it printed; empty when there was none."""
        return next((line.strip() for line in reversed(self._lines) if line.strip()), "")

    def start(self) -> None:
        """Start it and keep it up."""
        self._keeper.start()

    def ask_to_stop(self) -> None:
        """Tell it to finish what it runs, and do not start it again."""
        with self._swap:
            self._stopping.set()
            self._send(signal.SIGTERM)

    def wait_stopped(self, grace: float) -> None:
        """Wait until it has gone; kill it after `grace` seconds."""
        self._keeper.join(timeout=grace)
        if self._keeper.is_alive():
            self._send(signal.SIGKILL)
            self._keeper.join()

    def _send(self, number: signal.Signals) -> None:
        process = self._process
        if process is None or process.poll() is not None:
            return
        if number is signal.SIGKILL:
            # It may go in this very moment.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        else:
            process.send_signal(number)

    def _keep(self) -> None:
        """Run it again and again until it is asked to stop."""
        while process := self._launch():
            born = time.monotonic()
            code = self._listen(process)
            if self._stopping.is_set():
                return
            was_well = time.monotonic() - born > _WELL_AFTER
            self.early_deaths = 1 if was_well else self.early_deaths + 1
            wait = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (self.early_deaths - 1))
            self._hear(f"ended with {describe(code)}; starts again in {wait:g} s")
            self._stopping.wait(wait)

    def _launch(self) -> subprocess.Popen[str] | None:
        """Start one process, unless it was asked to stop meanwhile."""
        with self._swap:
            if self._stopping.is_set():
                return None
            self._process = subprocess.Popen(  # noqa: S603 -- a list of our own, never a shell's
                list(self.program.command),
                env=dict(self.program.environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                start_new_session=True,
            )
            return self._process

    def _listen(self, process: subprocess.Popen[str]) -> int:
        """Hand on what it prints until it has gone; give its exit code."""
        reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        reader.start()
        code = process.wait()
        # A grandchild may hold the pipe open: the process itself has gone all the same.
        reader.join(timeout=_OUTPUT_PATIENCE)
        return code

    def _read(self, process: subprocess.Popen[str]) -> None:
        with process:
            for line in process.stdout or ():
                text = line.rstrip("\r\n")
                self._lines.append(text)
                self._hear(text)


def describe(code: int) -> str:
    """Name an exit code.

    >>> describe(-9), describe(3)
    ('SIGKILL', 'exit code 3')
    """
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
