"""The gate: a process worker takes no more notices than it has children with their resources up.

Celery counts all its children, also those that still open theirs; a notice taken for one of these
would wait in this worker's memory while others have room. Brokers other than Redis hand notices out
by themselves: there one may wait like that until the ledger rings it for another worker.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from celery import bootsteps
from celery.worker import state

from toolferry_ledger import TASK_NAME


class Gate(bootsteps.StartStopStep):
    """Puts itself before Celery's own question whether to take a message; at each connection."""

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def start(self, consumer: Any) -> None:
        """Ask for ready children from now on."""
        room: Callable[[], int] | None = consumer.app.tasks[TASK_NAME].room
        qos: Any = getattr(consumer.task_consumer.channel, "qos", None)
        if room is None or not hasattr(qos, "can_consume"):
            return
        stock: Callable[[], bool] = qos.can_consume
        qos.can_consume = lambda: stock() and len(state.reserved_requests) < room()
