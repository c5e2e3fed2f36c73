"""Reloading: the workers of `toolferry up` get new code when it changes, and no call notices.

1. A file of the tools changes. A trial imports them in a process of its own.
2. It fails: one sentence says why, the crew goes on as it is, and the next change tries again.
3. It works: a new crew starts beside the old one.
4. Once each worker of the new crew takes calls, the old crew is told to stop. It takes nothing new
   and finishes what it runs, on the code that it began with, however long its tools may run.
5. A new crew that does not come up is told to stop, and the old one goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from toolferry_console.crew import Crew
from toolferry_console.errors import ToolsUnusable
from toolferry_console.local import KILL_AFTER, worker_programs
from toolferry_console.processes import Program
from toolferry_console.sources import Sources, Stamp, neighbourhood, stamp_of
from toolferry_console.trial import FRESH, Trial, hold_trial
from toolferry_ledger import Settings

#: Seconds in which a crew takes up its work: its tools may have models to load.
READY_WITHIN: Final = 120.0
#: Seconds between two looks at a crew that starts.
_LOOK_EVERY: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Voices:
    """Who is told what."""

    #: Gets the name of the lane and each line that a worker prints, from threads.
    hear: Callable[[str, str], None]
    #: Gets sentences for the person who watches.
    say: Callable[[str], None]


class Reloader:
    """Keeps a crew with the newest code that works.

    Args:
        settings: Which system.
        tools: The modules that define the tools, separated by commas.
        drain: Seconds that running calls have when everything stops.
        voices: Who is told what.
        stopped: Ends everything that takes time.

    Raises:
        ToolsUnusable: The tools cannot be imported to begin with.
        KeyboardInterrupt: It was told to stop before there was anything to stop.
    """

    def __init__(
        self,
        settings: Settings,
        tools: str,
        drain: float,
        voices: Voices,
        stopped: threading.Event,
    ) -> None:
        self._settings = settings
        self._tools = tools
        self._drain = drain
        self._voices = voices
        self._stopped = stopped
        trial = hold_trial(tools, stopped)
        if stopped.is_set():
            raise KeyboardInterrupt
        if trial.fault:
            raise ToolsUnusable(trial.fault)
        #: One's own files that the tools are known to need.
        self._files = trial.files
        self._sources = Sources(lambda: trial.files, stopped)
        self._crew = self._start(trial)
        self._retired: list[Crew] = []

    def look(self) -> None:
        """Wait for a change, for 2 s at the most, and reload when there was one."""
        self._retired = [crew for crew in self._retired if not crew.have_stopped]
        if self._sources.wait_changed() and not self._stopped.is_set():
            self._reload()

    def stop(self) -> None:
        """Have all workers finish what they run; kill those that take too long."""
        crews = [*self._retired, self._crew]
        for crew in crews:
            crew.ask_to_stop()
        give_up_at = time.monotonic() + self._drain + KILL_AFTER
        for crew in crews:
            crew.stop(max(0.0, give_up_at - time.monotonic()))

    def _reload(self) -> None:
        began = time.monotonic()
        # Looked at before they are read: what changes meanwhile is another reload.
        before = {path: stamp_of(path) for path in self._sources.stamps}
        trial = hold_trial(self._tools, self._stopped)
        self._listen_to(trial, before)
        fault = trial.fault or self._relieve(trial)
        if self._stopped.is_set():
            return
        if fault:
            self._voices.say(f"not reloaded: {fault}; the workers go on with the code they have")
        else:
            took = time.monotonic() - began
            self._voices.say(f"reloaded in {took:.1f} s; calls that run finish on the old code")

    def _listen_to(self, trial: Trial, before: Mapping[Path, Stamp]) -> None:
        """Watch what the trial has loaded, and after a fault whatever might mend it."""
        files = self._files = self._files | trial.files if trial.fault else trial.files
        self._sources.close()
        if trial.fault:
            self._sources = Sources(lambda: neighbourhood(files), self._stopped, before)
        else:
            self._sources = Sources(lambda: files, self._stopped, before)

    def _relieve(self, trial: Trial) -> str:
        """Put a new crew in the place of the old one; say why that did not work."""
        crew = self._start(trial)
        fault = self._wait_ready(crew)
        if fault:
            crew.ask_to_stop()
            self._retired.append(crew)
            return fault
        self._crew.ask_to_stop()
        self._retired.append(self._crew)
        self._crew = crew
        return ""

    def _wait_ready(self, crew: Crew) -> str:
        give_up_at = time.monotonic() + READY_WITHIN
        while not crew.is_ready:
            if crew.early_death:
                return str(crew.early_death)
            if self._stopped.wait(_LOOK_EVERY):
                return "it was stopped"
            if self._sources.have_changed():
                return "the tools have changed again"
            if time.monotonic() > give_up_at:
                return f"the new workers are not ready within {READY_WITHIN:g} s"
        return ""

    def _start(self, trial: Trial) -> Crew:
        # An old crew may have to finish the longest call that its tools can make.
        drain = max(self._drain, trial.longest + KILL_AFTER)
        crew = Crew(list(map(_fresh, self._programs(drain))), self._voices.hear)
        crew.start()
        return crew

    def _programs(self, drain: float) -> list[Program]:
        return worker_programs(self._settings, self._tools, drain)


def _fresh(program: Program) -> Program:
    return replace(program, environment={**program.environment, **FRESH})


@contextmanager
def reloading_workers(
    settings: Settings, tools: str, drain: float, voices: Voices, stopped: threading.Event
) -> Iterator[Reloader]:
    """Keep workers with the newest code up while the block runs; arguments as for `Reloader`."""
    reloader = Reloader(settings, tools, drain, voices, stopped)
    try:
        yield reloader
    finally:
        reloader.stop()
