"""The consumer: Celery's own, but back within a second after the broker was away."""

from __future__ import annotations

from typing import Any, Final

import structlog
from celery.worker.consumer import Consumer as CeleryConsumer
from celery.worker.state import maybe_shutdown
from kombu import Connection

from toolferry_worker.configuration import flower_wanted

log = structlog.get_logger(__name__)

#: Seconds between two tries to connect. Constant: calls wait for us, and one worker's tries are
#: nothing to a broker that comes back; Celery's own pause grows to 30 s.
RETRY_PAUSE: Final = 0.5


class Consumer(CeleryConsumer):
    """Celery's consumer with a constant short reconnect, and without what we do not use."""

    def __init__(self, *args: Any, worker_options: dict[str, Any] | None = None, **kwargs: Any):
        options = dict(worker_options or {})
        if not flower_wanted():
            options |= dict.fromkeys(("without_gossip", "without_mingle", "without_heartbeat"), True)
        super().__init__(*args, worker_options=options, **kwargs)

    def ensure_connected(self, conn: Connection) -> Connection:
        """Connect, however long it takes, unless the worker is told to stop."""
        conn.ensure_connection(
            self._tell,
            interval_start=RETRY_PAUSE,
            interval_step=0,
            interval_max=RETRY_PAUSE,
            callback=maybe_shutdown,
        )
        self.first_connection_attempt = False
        return conn

    def _tell(self, error: Exception, _interval: float) -> None:
        log.warning("broker.unreachable", broker=self.conninfo.as_uri(), error=str(error))
