"""The one Celery task that runs all tools; which tool, its shadow name says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from celery import Task

from toolferry_ledger import TASK_NAME


class Runner(Protocol):
    """Who runs the calls that notices name."""

    def take(self, notices: Sequence[tuple[str, int]]) -> None:
        """Take them on; returns when the next notice may come."""


class Parent(Protocol):
    """Who looks after the attempts of children that cannot do so themselves."""

    def lost(self, call_key: str, fence: int) -> None:
        """Take it that the child which ran this attempt has died."""

    def stopped(self, call_key: str, fence: int) -> None:
        """Take it that this attempt was stopped because the worker shuts down."""


class AttemptTask(Task):
    """`toolferry.attempt`: takes notices, each a call's key and the fence of its attempt."""

    name = TASK_NAME
    ignore_result = True
    acks_late = False
    #: Set once in each process that runs calls.
    runner: Runner
    #: Set once in the parent of a process worker.
    parent: Parent

    def run(self, notices: Sequence[Sequence[str | int]]) -> None:
        """Run what the notices name."""
        self.runner.take([(str(key), int(fence)) for key, fence in notices])
