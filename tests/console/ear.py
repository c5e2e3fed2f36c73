"""An ear for programs that the tests start."""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

#: Seconds to wait for a line: far more than any program here needs.
PATIENCE: Final = 30.0


class Ear:
    """Hears lines and gives them out one by one."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str] = queue.Queue()
        self._heard: list[str] = []

    def __call__(self, *line: str) -> None:
        """Hear a line."""
        self._lines.put(": ".join(line))

    def wait_for(self, *wanted: str) -> str:
        """Wait for a line that holds all of these texts."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                heard = "\n".join(self._heard)
                raise AssertionError(f"no line with {wanted}; heard:\n{heard}") from None
            self._heard.append(line)
            if all(word in line for word in wanted):
                return line


class Started:
    """A `toolferry` command that runs in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.ear = Ear()
        self._process = process
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, wait for the end and give the exit code."""
        self._process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for the end and give the exit code."""
        code = self._process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        return code

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self.ear(line.rstrip("\n"))


@contextmanager
def started(*arguments: str, cwd: Path, environ: Mapping[str, str]) -> Iterator[Started]:
    """Run a `toolferry` command beside the test; end it after the test if it still runs."""
    command = [sys.executable, "-m", "toolferry_console.main", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=cwd, env=dict(environ), stdout=pipe, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield Started(process)
        finally:
            process.terminate()
            try:
                process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
