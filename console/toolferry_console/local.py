"""A whole system on this machine: the server, a worker for each lane, a dispatcher."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final

from toolferry import Lane, Registry, load_tools
from toolferry_console.leash import on_leash
from toolferry_console.processes import Program
from toolferry_console.signals import terminate_as_interrupt
from toolferry_console.workers import Workers, kept_workers
from toolferry_dispatcher import Dispatcher
from toolferry_ledger import Ledger, Settings, load_settings
from toolferry_worker import command
from toolferry_worker.configuration import ALL_QUEUES

#: Seconds within which both lanes are ready, on a slow machine too.
READY_WITHIN: Final = 30.0
#: Seconds that running calls have when nobody waits for them any more.
SHORT_DRAIN: Final = 2.0
#: Seconds beyond its drain after which a worker is killed.
KILL_AFTER: Final = 5.0
#: Seconds between two looks.
_LOOK_EVERY: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSystem:
    """What a block of `local_system` has to work with."""

    settings: Settings
    registry: Registry
    dispatcher: Dispatcher
    workers: Workers


def hear_nothing(_name: str, _line: str) -> None:
    """Let the workers talk to themselves; their last words are kept all the same."""


@contextmanager
def local_workers(
    settings: Settings,
    tools: str,
    hear: Callable[[str, str], None] = hear_nothing,
    drain: float = SHORT_DRAIN,
    lanes: Collection[Lane] = tuple(Lane),
) -> Iterator[Workers]:
    """Keep a worker for each of some lanes of a system up while the block runs.

    Args:
        settings: Which system.
        tools: The modules that define the tools, separated by commas.
        hear: Gets the lane and each line that its worker prints, from threads.
        drain: Seconds that running calls may take to end when the block has ended.
        lanes: Which; all of them when not given.
    """
    programs = worker_programs(settings, tools, drain, lanes)
    with kept_workers(programs, hear, drain + KILL_AFTER) as workers:
        yield workers


def worker_programs(
    settings: Settings, tools: str, drain: float, lanes: Collection[Lane] = tuple(Lane)
) -> list[Program]:
    """Give the programs that are the workers of some lanes, on a leash of this process.

    Args:
        settings: Which system.
        tools: The modules that define the tools, separated by commas.
        drain: Seconds that running calls may take to end when a worker is told to stop.
        lanes: Which; all of them when not given.
    """
    environment = {
        **os.environ,
        **settings.environment(),
        "TOOLFERRY_TOOLS": tools,
        "TOOLFERRY_DRAIN_SECONDS": f"{drain:g}",
    }
    # One machine stands for all the machines that queues tell apart.
    return [
        Program(
            name=lane.value,
            command=on_leash(command(lane, tools=tools, queues=ALL_QUEUES)),
            environment=environment,
        )
        for lane in lanes
    ]


def wait_ready(settings: Settings, workers: Workers, patience: float = READY_WITHIN) -> None:
    """Wait until a worker is alive for each lane.

    Raises:
        WorkersFailed: One does not come up within `patience` seconds; says its last words.
    """
    give_up_at = time.monotonic() + patience
    with closing(Ledger(settings)) as ledger:
        while missing := set(Lane) - {pool.lane for pool in ledger.served()}:
            workers.check()
            if time.monotonic() > give_up_at:
                raise workers.failure(min(missing).value)
            time.sleep(_LOOK_EVERY)


@contextmanager
def local_system(
    tools: str, hear: Callable[[str, str], None] = hear_nothing
) -> Iterator[LocalSystem]:
    """Run a system while the block runs: the configured server or an embedded one, and workers.

    Args:
        tools: The modules that define the tools, separated by commas.
        hear: Gets the lane and each line that its worker prints, from threads.

    Raises:
        ConfigurationError: A setting is wrong, or a module cannot be imported.
        LedgerUnavailable: The server does not answer.
    """
    registry = load_tools(tools)
    settings = load_settings()
    with (
        terminate_as_interrupt(),
        local_workers(settings, tools, hear) as workers,
        closing(Dispatcher(registry, settings)) as dispatcher,
    ):
        yield LocalSystem(
            settings=settings, registry=registry, dispatcher=dispatcher, workers=workers
        )
