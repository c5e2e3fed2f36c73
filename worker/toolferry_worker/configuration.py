"""The Celery configuration, in one place: Celery carries notices and decides nothing.

Remote control, events and heartbeats are off, because anyone who can write to the broker could
send `shutdown`, and because they cost commands all the time. `TOOLFERRY_FLOWER=1` turns them on for
Flower and `celery inspect`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from kombu import Queue

from toolferry import DEFAULT_QUEUE, ConfigurationError, Lane, Tool, is_queue_name
from toolferry_ledger import Pool, Settings, load_settings, queue_name, transport_options
from toolferry_worker.station import DRAIN_GRACE

#: Calls that one async worker runs at once; they share one thread, so this bounds memory, not CPU.
ASYNC_SLOTS: Final = 256
#: What stands for every queue that the tools of a worker name.
ALL_QUEUES: Final = "*"
#: The most that may be asked for; beyond it one event loop is late for everybody.
MAX_SLOTS: Final = 4096


@cache
def worker_settings() -> Settings:
    """Load the settings once per process: they may start, and then use, the embedded server."""
    return load_settings()


def flower_wanted(environ: Mapping[str, str] = os.environ) -> bool:
    """Tell whether `TOOLFERRY_FLOWER` asks for what Flower needs."""
    return environ.get("TOOLFERRY_FLOWER", "") not in {"", "0"}


def common_configuration(settings: Settings) -> dict[str, Any]:
    """Give the Celery settings that hold in both lanes."""
    flower = flower_wanted()
    return {
        "broker_url": settings.kombu_url,
        "broker_transport_options": {**transport_options(settings), **_order(settings)},
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        # A server that refuses something for a while, being full for example, ends no worker.
        "broker_channel_error_retry": True,
        "accept_content": ["json"],
        "task_serializer": "json",
        "result_serializer": "json",
        "result_backend": None,
        "task_ignore_result": True,
        "task_acks_late": False,
        "worker_consumer": "toolferry_worker.consumer:Consumer",
        "worker_prefetch_multiplier": 1,
        # Celery's 4 s are too short for a child that starts on a machine with much to do.
        "worker_proc_alive_timeout": 30.0,
        "worker_enable_prefetch_count_reduction": False,
        "worker_cancel_long_running_tasks_on_connection_loss": True,
        "worker_enable_remote_control": flower,
        "worker_send_task_events": flower,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
    }


def _order(settings: Settings) -> dict[str, str]:
    """Have the most urgent queue read first; brokers that are no Redis hand out as they like."""
    if settings.broker_address is None:
        return {}
    return {"queue_order_strategy": "toolferry_worker.order:UrgentFirst"}


def lane_configuration(
    settings: Settings, pools: Sequence[Pool], own_queue: str | None = None
) -> dict[str, Any]:
    """Give the Celery settings of a worker that belongs to these pools, all of one lane.

    Its own queue, where it has one, is read after all others, and goes with it.

    Without prefetch a process worker takes a message only when a child is free, so that its death
    loses no more than what ran. The solo pool runs one message at a time anyway.
    """
    names = [queue_name(settings.namespace, route) for pool in pools for route in pool.routes]
    queues = [Queue(name, routing_key=name) for name in names]
    if own_queue:
        # In the ledger's server a list needs no declaration, which would leave its name for ever.
        is_plain = settings.broker_is_own
        queues.append(
            Queue(
                own_queue,
                routing_key=own_queue,
                no_declare=is_plain,
                durable=False,
                auto_delete=not is_plain,
            )
        )
    return {
        "task_queues": queues,
        "task_default_queue": names[0],
        # The one that every queue is bound to by its name: nothing has to be written to start, so
        # that a worker can start and reconnect on a server that is full.
        "task_default_exchange": "",
        "worker_disable_prefetch": pools[0].lane is Lane.PROCESS
        and settings.broker_address is not None,
    }


def queues_from(
    asked: str | None, tools: Iterable[Tool], environ: Mapping[str, str] = os.environ
) -> tuple[str, ...]:
    """Decide which queues a worker serves.

    Args:
        asked: What `--serve` said (`--queues` of `toolferry worker`), separated by commas; None
            when it was not given. `*` means every queue that its tools name.
        tools: The worker's tools.
        environ: Where `TOOLFERRY_QUEUES` may stand.

    Raises:
        ConfigurationError: A name cannot be a queue's.

    >>> queues_from(None, (), {}), queues_from("gpu, licence,gpu", (), {})
    (('default',), ('gpu', 'licence'))
    """
    text = asked or environ.get("TOOLFERRY_QUEUES") or DEFAULT_QUEUE
    if text == ALL_QUEUES:
        return tuple(sorted({tool.queue for tool in tools}))
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if not is_queue_name(name):
            raise ConfigurationError(
                "TOOLFERRY_QUEUES", f"{name!r} must be 1 to 40 of a-z, 0-9, _ and -"
            )
    return names


def slots_for(lane: Lane, asked: object, environ: Mapping[str, str] = os.environ) -> int:
    """Decide how many calls a worker runs at once.

    Args:
        lane: Its lane.
        asked: What `--concurrency` said; None when it was not given.
        environ: Where `TOOLFERRY_CONCURRENCY` may stand.

    Raises:
        ConfigurationError: What was asked for is no number from 1 to 4096.

    >>> slots_for(Lane.ASYNC, None, {}), slots_for(Lane.PROCESS, "3", {})
    (256, 3)
    """
    default = ASYNC_SLOTS if lane is Lane.ASYNC else os.cpu_count() or 2
    text = str(asked or environ.get("TOOLFERRY_CONCURRENCY") or default)
    if not text.isdecimal() or not 1 <= int(text) <= MAX_SLOTS:
        raise ConfigurationError(
            "TOOLFERRY_CONCURRENCY", f"{text!r} is no whole number from 1 to {MAX_SLOTS}"
        )
    return int(text)


def drain_grace(environ: Mapping[str, str] = os.environ) -> float:
    """Give the seconds that running calls have when the worker stops: `TOOLFERRY_DRAIN_SECONDS`.

    Raises:
        ConfigurationError: What is set is no number, 0 or more.

    >>> drain_grace({}), drain_grace({"TOOLFERRY_DRAIN_SECONDS": "5"})
    (25.0, 5.0)
    """
    text = environ.get("TOOLFERRY_DRAIN_SECONDS") or str(DRAIN_GRACE)
    if not text.replace(".", "", 1).isdecimal():
        raise ConfigurationError("TOOLFERRY_DRAIN_SECONDS", f"{text!r} is no number, 0 or more")
    return float(text)
