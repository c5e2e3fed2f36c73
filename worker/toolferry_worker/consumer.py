"""The consumer: Celery's own, but back in a second, and takes nothing along when it stops."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, Final

from celery.worker.consumer import Consumer as CeleryConsumer
from celery.worker.state import maybe_shutdown
from kombu import Connection
from kombu.common import ignore_errors

from toolferry_worker.complaint import Complaint
from toolferry_worker.configuration import flower_wanted

#: Seconds between two tries to connect. Constant: calls wait for us, and one worker's tries are
#: nothing to a broker that comes back; Celery's own pause grows to 30 s.
RETRY_PAUSE: Final[Any] = 0.5

_unreachable: Final = Complaint("broker.unreachable")
_UNUSED: Final = {"without_gossip": True, "without_mingle": True, "without_heartbeat": True}


class Consumer(CeleryConsumer):
    """Celery's consumer with a constant short reconnect, and without what we do not use."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not flower_wanted():
            kwargs["worker_options"] = {**kwargs.get("worker_options", {}), **_UNUSED}
        super().__init__(*args, **kwargs)
        #: Whether the pool belongs to the event loop already, which it needs to replace a child.
        self._has_looped = False

    def loop_args(self) -> tuple[Any, ...]:
        """See to children that have died, then give what Celery's event loop takes.

        The loop itself replaces children that die. But one that died before it ran ends the worker:
        the first time because Celery wants a faultless start, later because the loop takes in again
        all children that are not known to be gone.
        """
        if self._has_looped:
            self.pool.maintain_pool()
            _listen_again(self.pool)
        self._has_looped = True
        self.restart_count = max(1, self.restart_count)
        arguments: tuple[Any, ...] = super().loop_args()
        return arguments

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Let go of a connection that failed, and take a breath when the server only refused."""
        super().on_connection_error_after_connected(exc)
        consumer: Any = self
        if isinstance(exc, consumer.channel_errors):
            time.sleep(RETRY_PAUSE)

    def stop(self) -> None:
        """Stop taking, and give back what the broker hands out in this very moment.

        On Redis the last request for a message is open for up to a second longer. Celery would read
        its answer when the worker has drained; until then another worker could have had it.
        """
        super().stop()
        consumer: Any = self
        if consumer.task_consumer:
            ignore_errors(consumer, consumer.task_consumer.channel.close)

    def ensure_connected(self, conn: Connection) -> Connection:
        """Connect, however long it takes, unless the worker is told to stop."""
        conn.ensure_connection(
            partial(_tell, conn),
            interval_start=RETRY_PAUSE,
            interval_step=0,
            interval_max=RETRY_PAUSE,
            callback=maybe_shutdown,
        )
        self.first_connection_attempt = False
        return conn


def _listen_again(pool: Any) -> None:
    """Have Celery's event loop hear anew of children that are dying.

    It marks a child whose end it has heard of, and when it begins anew it takes in all that are not
    gone yet: the mark, which stands for no file, would end the worker (seen in a chaos run).
    """
    for child in getattr(pool._pool, "_pool", ()):  # noqa: SLF001 -- there is no other way to it
        if vars(child).get("_sentinel_poll", ...) is None:
            del child._sentinel_poll  # noqa: SLF001 -- as above


def _tell(connection: Connection, error: Exception, _interval: float) -> None:
    _unreachable.tell(broker=connection.as_uri(), error=str(error))
