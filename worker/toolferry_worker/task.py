"""The one Celery task that runs all tools; which tool, its shadow name says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from celery import Task

from toolferry_ledger import TASK_NAME
from toolferry_worker.station import Station

#: What a message names: calls, each by its key and the fence of its attempt.
Notices: TypeAlias = list[tuple[str, int]]


class Runner(Protocol):
    """Who runs the calls that notices name."""

    def take(self, notices: Notices) -> None:
        """Take them on; returns when the next notices may come."""


class Parent(Protocol):
    """Who looks after the attempts of children that cannot do so themselves."""

    def lost(self, call_key: str, fence: int) -> None:
        """Take it that the child which ran this attempt has died."""

    def stopped(self, call_key: str, fence: int) -> None:
        """Take it that this attempt was stopped because the worker shuts down."""


class AttemptTask(Task[[list[Any]], None]):
    """`toolferry.attempt`, which every worker runs and nobody calls by itself."""

    name = TASK_NAME
    ignore_result = True
    acks_late = False
    Strategy = "toolferry_worker.strategy:notice_strategy"
    #: Which worker this is; set once in each worker, before its children are forked.
    station: Station
    #: Whether the runner only hands calls over to others.
    hands_over = False
    #: Set once in each process that runs calls.
    runner: Runner
    #: Set once in the parent of a process worker.
    parent: Parent
    #: Called with each message that arrives.
    heard: Callable[[], None] = staticmethod(lambda: None)
    #: How many children of a process worker can take a call; None when all always can.
    room: Callable[[], int] | None = None

    def run(self, notices: Sequence[Any]) -> None:
        """Run what the notices name."""
        self.runner.take(read_notices(notices))


def read_notices(notices: Sequence[Any]) -> Notices:
    """Read the one argument of the task.

    Raises:
        TypeError, ValueError: It is no list of pairs.

    >>> read_notices([["t1:0", 7]])
    [('t1:0', 7)]
    """
    return [(str(key), int(fence)) for key, fence in notices]
