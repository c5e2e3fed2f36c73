"""Replacement: a worker that cannot be mended becomes a new one.

1. Whoever finds that the worker cannot go on asks for it, with the reason.
2. Celery is told to stop, as by SIGTERM: the worker takes nothing more, drains, ends its lease.
3. At the very end the process is not left but turned into a new worker, with the program, the
   folder and the environment that it was started with (`execve`). It keeps its process id, so that
   whoever supervises it sees nothing, and it comes back where nobody does. Its threads end in that
   moment, whatever they are in; its sockets and files close; what handlers have started is killed
   before.
4. If the ordinary end does not come in time, a thread does the last step.

A worker that is told to stop meanwhile stops.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import structlog
from celery.apps.worker import Worker
from celery.platforms import EX_OK
from celery.worker import state

from toolferry_worker.descendants import kill_descendants

log = structlog.get_logger(__name__)

#: What Celery is told to exit with, and what the process does exit with should it not become a new
#: one: `EX_TEMPFAIL` of sysexits.h, whoever sees that starts it again.
EX_REPLACE: Final = 75
#: Seconds that a process has to end by itself once its worker has stopped: longer than the embedded
#: server takes to stop.
LAST_SECONDS: Final = 15.0
#: What a worker exits with that takes no notices any more: `EX_UNAVAILABLE` of sysexits.h.
EX_DEAF: Final = 69
#: Seconds beyond its grace in which a worker has drained.
PATIENCE: Final = 20.0


@dataclass(frozen=True, slots=True)
class Origin:
    """How this process was started: handlers may have changed folder and environment since."""

    program: str
    arguments: Sequence[str]
    folder: Path
    environment: Mapping[str, str]

    @classmethod
    def of_this_process(cls) -> Origin:
        """Take down how it was started; to be called before any handler runs."""
        return cls(sys.executable, list(sys.orig_argv), Path.cwd(), dict(os.environ))


class Replacement:
    """Turns this worker into a new one, once.

    Args:
        owner: The worker's name.
        grace: Seconds that running calls have when it stops.
    """

    def __init__(self, owner: str, grace: float) -> None:
        self._owner = owner
        self._grace = grace
        self._origin = Origin.of_this_process()
        self._backstop = threading.Timer(grace + PATIENCE, self._force)
        self._backstop.daemon = True

    def ask(self, reason: str) -> None:
        """Have the worker stop and come back as a new one; returns at once.

        Args:
            reason: Why it cannot go on, as part of a sentence.
        """
        if state.should_stop is None or state.should_stop is False:
            log.error("worker.replaced", owner=self._owner, reason=reason)
            setattr(state, "should_stop", EX_REPLACE)  # noqa: B010 -- its stubs know it as None
            self._backstop.start()

    def leave(self, reason: str) -> None:
        """Have the process end, by force if it must be; returns at once.

        Args:
            reason: Why it cannot go on, as part of a sentence.
        """
        if state.should_stop is None or state.should_stop is False:
            log.error("worker.left", owner=self._owner, reason=reason, exit_code=EX_DEAF)
            setattr(state, "should_stop", EX_DEAF)  # noqa: B010 -- as above
            _end_after(self._grace + PATIENCE, EX_DEAF)

    def finish(self, sender: Worker, **_: Any) -> None:
        """Become the new worker if that was asked for, and nothing else since; else do nothing."""
        if sender.exitcode == EX_REPLACE:
            if _is_still_wanted():
                self._become_new()
            sender.exitcode = EX_OK
        # Python waits for the threads of handlers, and one of them may never end.
        _end_after(LAST_SECONDS, int(sender.exitcode or EX_OK))

    def _force(self) -> None:
        if _is_still_wanted():
            self._become_new()
        os._exit(EX_OK)

    def _become_new(self) -> None:
        # A worker that is the first process of a container adopts what is not its own.
        if os.getpid() != 1:
            kill_descendants(os.getpid())
        sys.stdout.flush()
        sys.stderr.flush()
        origin = self._origin
        try:
            os.chdir(origin.folder)
            os.execve(origin.program, list(origin.arguments), dict(origin.environment))  # noqa: S606 -- what it was started with
        except OSError:
            log.exception("worker.not_replaced", owner=self._owner)
            os._exit(EX_REPLACE)


def _is_still_wanted() -> bool:
    """Tell whether nobody has told the worker to stop since its replacement was asked for."""
    is_cold = state.should_terminate is not None and state.should_terminate is not False
    return state.should_stop == EX_REPLACE and not is_cold


def _end_after(seconds: float, code: int) -> None:
    timer = threading.Timer(seconds, os._exit, [code])
    timer.daemon = True
    timer.start()
