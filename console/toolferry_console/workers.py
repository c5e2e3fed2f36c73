"""The workers of this machine: one for each lane, kept up while a block runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from toolferry_console.errors import WorkersFailed
from toolferry_console.processes import KeptProcess, Program

#: A worker that ended by itself this often, soon after each start, is broken.
_GIVE_UP_AFTER: Final = 3


class Workers:
    """The worker processes that one command keeps up.

    Args:
        programs: What to run.
        hear: Gets the name of the program and each line that it prints, from threads.
    """

    def __init__(self, programs: Sequence[Program], hear: Callable[[str, str], None]) -> None:
        def hear_from(name: str) -> Callable[[str], None]:
            return lambda line: hear(name, line)

        self._kept = {
            program.name: KeptProcess(program, hear_from(program.name)) for program in programs
        }

    def start(self) -> None:
        """Start all of them."""
        for process in self._kept.values():
            process.start()

    def check(self) -> None:
        """Make sure that none keeps dying.

        Raises:
            WorkersFailed: One has ended by itself three times, soon after its start.
        """
        for name, process in self._kept.items():
            if process.early_deaths >= _GIVE_UP_AFTER:
                raise self.failure(name)

    def failure(self, name: str) -> WorkersFailed:
        """Make the error that says what a worker said last."""
        return WorkersFailed(name, self._kept[name].last_words)

    @property
    def early_death(self) -> WorkersFailed | None:
        """The error of one that ended by itself soon after its start; None while none did."""
        failed = (name for name, process in self._kept.items() if process.early_deaths)
        return next(map(self.failure, failed), None)

    @property
    def have_stopped(self) -> bool:
        """Whether all of them were asked to stop and have gone."""
        return all(process.has_stopped for process in self._kept.values())

    def ask_to_stop(self) -> None:
        """Have all of them finish what they run, and nobody wait for it."""
        for process in self._kept.values():
            process.ask_to_stop()

    def stop(self, grace: float) -> None:
        """Have all of them finish what they run; kill those that take longer than `grace`."""
        self.ask_to_stop()
        for process in self._kept.values():
            process.wait_stopped(grace)


@contextmanager
def kept_workers(
    programs: Sequence[Program], hear: Callable[[str, str], None], grace: float
) -> Iterator[Workers]:
    """Keep programs up while the block runs, then let them finish and stop."""
    workers = Workers(programs, hear)
    workers.start()
    try:
        yield workers
    finally:
        workers.stop(grace)
