"""A Celery application whose operator had the broker deliver again what is not acknowledged."""

from __future__ import annotations

import os

from toolferry_ledger import TASK_NAME
from toolferry_worker.application import app

app.conf.broker_transport_options = {
    **app.conf.broker_transport_options,
    "ack_emulation": True,
    "visibility_timeout": int(os.environ.get("VISIBILITY_TIMEOUT", "3600")),
    "unacked_restore_interval": 1,
    "unacked_restore_throttle": 1,
}
app.tasks[TASK_NAME].acks_late = True
