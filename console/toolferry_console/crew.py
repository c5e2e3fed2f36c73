"""The crew: the workers of this machine that began with the same code, one for each lane."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from toolferry_console.processes import Program
from toolferry_console.workers import Workers


class Crew(Workers):
    """Workers of which one knows whether they take calls.

    Args:
        programs: What to run; workers, which print `worker.ready`.
        hear: Gets the name of the program and each line that it prints, from threads.
    """

    def __init__(self, programs: Sequence[Program], hear: Callable[[str, str], None]) -> None:
        self._hear = hear
        self._unready = {program.name for program in programs}
        super().__init__(programs, self._listen)

    @property
    def is_ready(self) -> bool:
        """Whether each of them has taken up its work."""
        return not self._unready

    def _listen(self, name: str, line: str) -> None:
        if _tells_ready(line):
            self._unready.discard(name)
        self._hear(name, line)


def _tells_ready(line: str) -> bool:
    """Tell whether a line is the event that a worker takes calls.

    >>> _tells_ready('{"event": "worker.ready", "lane": "async"}'), _tells_ready("worker.ready")
    (True, False)
    """
    if "worker.ready" not in line:
        return False
    try:
        event = json.loads(line)
    except ValueError:
        return False
    return isinstance(event, dict) and event.get("event") == "worker.ready"
