"""The bell: publishes notices, the Celery messages that say which calls are ready.

It serves brokers that are elsewhere. To the queues of its own server the ledger's scripts publish
by themselves (`publish` in common.lua): nothing can come between a call's record and its notice,
and it is quicker (ARCHITECTURE.md, Notices).

A notice is a message of Celery's protocol 2 (celery docs, "Message Protocol", version 2) for the
one task `toolferry.attempt`; it is written with kombu, so that a dispatcher needs no Celery. It
carries no arguments of the call, only `[[call_key, fence], …]`. Losing one is healed by the
reaper, and one that arrives twice is harmless.
"""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from toolferry_ledger.connection import CONNECT_TIMEOUT
from toolferry_ledger.keys import queue_name
from toolferry_ledger.logs import get_log
from toolferry_ledger.records import Ring
from toolferry_ledger.route import Route
from toolferry_ledger.settings import Settings
from toolferry_ledger.transport import broker_trouble, queue_missing, transport_options

if TYPE_CHECKING:
    from kombu import Connection

log = get_log(__name__)

#: The name of the one Celery task that runs all tools.
TASK_NAME: Final = "toolferry.attempt"
#: Messages in one pipeline; more would hold the interpreter for over 10 ms at a time.
SLICE: Final = 50
#: Seconds for which a message without calls is kept that its worker does not take.
KNOCK_TTL: Final = 600


class Bell:
    """Publishes notices. Thread-safe; connects when it is first used.

    Args:
        settings: Which broker and which namespace.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._let_go: Callable[[], object] = lambda: None
        # The types that celery-types gives of kombu are older than `batch`.
        self._producer: Any = None
        self._declared: set[Route] = set()

    def ring(self, rings: Sequence[Ring]) -> bool:
        """Publish the notices of calls that are ready; at least once, or not at all.

        Never raises for a broker that is in trouble: the calls stay queued in the ledger and the
        reaper rings them again. Tells whether all was published for certain.
        """
        if not rings:
            return True
        messages = list(_messages(rings))
        with self._lock:
            for tries_left in (1, 0):
                try:
                    self._publish(messages)
                except broker_trouble() as error:
                    self._drop()
                    if not tries_left:
                        log.warning("notice.unpublished", calls=len(rings), error=str(error))
                else:
                    return True
        return False

    def depth(self, route: Route) -> int | None:
        """Count the notices in a route's queue; None when the broker does not tell."""
        name = queue_name(self._settings.namespace, route)
        with self._lock:
            try:
                self._ready()
                return self._count(name)
            except queue_missing():  # Redis keeps no empty lists: no such queue means an empty one
                return 0
            except broker_trouble():
                self._drop()
                return None

    def knock(self, queue: str, message_id: str) -> bool:
        """Put a message without calls into a queue that is there; tells whether that worked.

        Args:
            queue: The queue of one worker.
            message_id: What the message is known by.
        """
        with self._lock:
            try:
                producer = self._ready()
                producer.publish(
                    "[[], {}, {}]",
                    routing_key=queue,
                    content_type="application/json",
                    content_encoding="utf-8",
                    headers={"lang": "py", "task": TASK_NAME, "id": message_id},
                    correlation_id=message_id,
                )
                if self._settings.broker_is_own:
                    producer.channel.client.expire(queue, KNOCK_TTL)
            except broker_trouble():
                self._drop()
                return False
            return True

    def holds(self, queue: str) -> bool:
        """Tell whether a queue holds a message; False when the broker does not tell."""
        with self._lock:
            try:
                self._ready()
                return bool(self._count(queue))
            except queue_missing():
                return False
            except broker_trouble():
                self._drop()
                return False

    def close(self) -> None:
        """Close the connection; the bell can be rung again."""
        with self._lock:
            self._drop()

    def _count(self, name: str) -> int:
        """Ask for a queue's length, on a channel of its own: over AMQP a refusal closes it."""
        connection: Any = self._connection
        channel = connection.channel()
        try:
            return int(channel.queue_declare(queue=name, passive=True).message_count)
        finally:
            channel.close()

    def _publish(self, messages: Sequence[tuple[Route, str, str, dict[str, Any]]]) -> None:
        producer = self._ready()
        for start in range(0, len(messages), SLICE):
            part = messages[start : start + SLICE]
            # A pipeline for one message costs a tenth more than sending it.
            with producer.batch(max_size=SLICE) if len(part) > 1 else nullcontext():
                for route, message_id, body, headers in part:
                    self._declare(route)
                    producer.publish(
                        body,
                        routing_key=queue_name(self._settings.namespace, route),
                        content_type="application/json",
                        content_encoding="utf-8",
                        headers=headers,
                        correlation_id=message_id,
                    )

    def _ready(self) -> Any:
        if self._producer is None:
            from kombu import Connection, Producer  # noqa: PLC0415 -- see `transport`

            options = transport_options(self._settings)
            connection = Connection(self._settings.kombu_url, transport_options=options)
            self._connection = connection
            # A bell that nobody has any more closes its connection too.
            self._let_go = weakref.finalize(self, connection.release)
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=CONNECT_TIMEOUT)
            channel = connection.default_channel
            _reuse_client(channel)
            self._producer = Producer(channel, auto_declare=False)
        return self._producer

    def _declare(self, route: Route) -> None:
        """Make sure that the queue of a route is there: a broker may drop what it cannot place."""
        if route not in self._declared:
            from kombu import Queue  # noqa: PLC0415 -- see `transport`

            name = queue_name(self._settings.namespace, route)
            Queue(name, channel=self._ready().channel).declare()
            self._declared.add(route)

    def _drop(self) -> None:
        self._producer = None
        self._declared.clear()
        self._connection = None
        self._let_go()


def _reuse_client(channel: Any) -> None:
    """Keep one client for a Redis channel.

    kombu 5.7 builds a new one for every publish, which is 0.2 of its 0.33 ms (measured); they all
    share the channel's pool, so that one serves as well.
    """
    create = getattr(channel, "_create_client", None)
    if create is not None:
        client = create()
        channel._create_client = lambda asynchronous=False: (  # noqa: SLF001 -- as said above
            create(asynchronous=True) if asynchronous else client
        )


def _messages(rings: Sequence[Ring]) -> Iterator[tuple[Route, str, str, dict[str, Any]]]:
    for (route, _), calls in groupby(rings, key=lambda ring: (ring.route, ring.notice)):
        yield (route, *_notice(list(calls)))


def _notice(calls: Sequence[Ring]) -> tuple[str, str, dict[str, Any]]:
    first = calls[0]
    message_id = f"{first.call_key}.{first.fence}"
    shadow = first.tool if len(calls) == 1 else f"{first.tool} +{len(calls) - 1}"
    args = [[[call.call_key, call.fence] for call in calls]]
    embed = {"callbacks": None, "errbacks": None, "chain": None, "chord": None}
    headers = {
        "lang": "py",
        "task": TASK_NAME,
        "id": message_id,
        "root_id": message_id,
        "parent_id": None,
        "group": None,
        "shadow": shadow,
        "eta": None,
        "expires": None,
        "retries": 0,
        # Limits are kept by the worker, from the moment a handler begins.
        "timelimit": [None, None],
        "argsrepr": f"({len(calls)} calls)",
        "kwargsrepr": "{}",
        "ignore_result": True,
    }
    return message_id, json.dumps([args, {}, embed]), headers
