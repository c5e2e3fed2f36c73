"""The services of a worker: a bootstep that starts what we add to Celery's own, and drains it.

Start: lease, publisher, lane, reaper; then what handlers share is opened; then Celery's consumer
takes notices. The worker is in the ledger and its catalog before its first one, and not before all
is open.

Stop, after Celery's consumer has stopped taking: nothing is offered any more, what runs has the
grace to end, what still runs is given back or ended truthfully, everything is written, and the
lease ends. A cold stop is the same with no grace.
"""

from __future__ import annotations

from typing import Any

import structlog
from celery import bootsteps
from celery.apps.worker import Worker
from celery.signals import worker_ready, worker_shutdown
from celery.worker.state import maybe_shutdown

from toolferry import Lane, LedgerUnavailable
from toolferry_ledger import (
    TASK_NAME,
    Bell,
    Catalog,
    Ledger,
    Reaper,
    connect_alone,
    connect_briefly,
)
from toolferry_worker.async_lane import AsyncLane
from toolferry_worker.auditing import AuditThread
from toolferry_worker.capture import install_capture
from toolferry_worker.lease import Lease, LeaseProcess, LeaseThread
from toolferry_worker.offering import offer_of, tell_disagreements
from toolferry_worker.orders import OrdersThread
from toolferry_worker.probe import Probe
from toolferry_worker.process_lane import ProcessLane
from toolferry_worker.publisher import Publisher
from toolferry_worker.pulse import Pulse
from toolferry_worker.reaping import ReaperThread
from toolferry_worker.replacement import Replacement
from toolferry_worker.task import AttemptTask
from toolferry_worker.warden import Warden

log = structlog.get_logger(__name__)

#: Seconds for the last notices when the worker stops; the reaper rings what is left.
PUBLISH_PATIENCE = 2.0


class Services(bootsteps.StartStopStep):
    """Everything of a worker that is not Celery's."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Worker, **options: Any) -> None:
        super().__init__(worker, **options)
        task: AttemptTask = worker.app.tasks[TASK_NAME]
        self._station = task.station
        settings = self._station.settings
        self._ledger = Ledger(settings, connect_alone)
        self._publisher = Publisher(Bell(settings))
        # The reaper blocks on its bell, so it has one of its own.
        self._reaper = ReaperThread(Reaper(self._ledger, Bell(settings), self._station.signer))
        self._catalog = Catalog(self._ledger, self._station.signer)
        # Written before the children are forked, which so have the digests of all tools.
        self._offer = offer_of(self._station)
        self._pulse = Pulse()
        self._replacement = Replacement(self._station.owner, self._station.grace)
        self._lease = self._make_lease()
        self._lane = self._make_lane(task)
        # Its reads block it, so it has a client of its own.
        orders = Ledger(settings, connect_alone)
        self._orders = OrdersThread(orders, self._station.owner, self._lane.obey)
        self._audit = AuditThread(self._station)
        self._probe = Probe(
            self._station, Bell(settings), lambda: self._lane.has_room, self._replacement.leave
        )
        task.heard = self._probe.heard
        self._is_serving = self._is_consuming = False

    def start(self, worker: Worker) -> None:
        """Begin; show that this worker is there as soon as what handlers share is open."""
        self._lease.start()
        self._publisher.start()
        self._lane.start()
        self._reaper.start()
        self._orders.start()
        self._audit.start()
        worker_ready.connect(self._on_consuming, weak=False)
        worker_shutdown.connect(self._replacement.finish, weak=False)
        if not self._lane.open(self._serve):
            # Celery stops none of the steps when one has not started.
            self._end(worker.pool, 0.0)
            maybe_shutdown()

    def stop(self, worker: Worker) -> None:
        """Drain: see above."""
        self._end(worker.pool, self._station.grace)

    def terminate(self, worker: Worker) -> None:
        """Drain without grace."""
        self._end(worker.pool, 0.0)

    def _end(self, pool: Any, grace: float) -> None:
        self._probe.stop()
        log.info("worker.draining", owner=self._station.owner, grace_seconds=grace)
        self._withdraw()
        self._lane.drain(grace, pool.stop)
        self._orders.stop()
        self._reaper.stop()
        self._publisher.stop(PUBLISH_PATIENCE)
        self._audit.stop(PUBLISH_PATIENCE)
        self._lease.stop()
        try:
            self._ledger.leave(self._station.owner, self._station.pools)
        except LedgerUnavailable as error:
            log.warning("lease.left_behind", owner=self._station.owner, error=str(error))
        log.info("worker.stopped", owner=self._station.owner)

    def _withdraw(self) -> None:
        try:
            self._catalog.withdraw(self._station.owner)
        except LedgerUnavailable as error:
            log.warning("offer.left_behind", owner=self._station.owner, error=str(error))

    def _make_lease(self) -> LeaseProcess | LeaseThread:
        station = self._station
        lease = Lease(
            settings=station.settings,
            owner=station.owner,
            pools=station.pools,
            slots=station.slots,
            offer=self._offer,
        )
        if station.lane is Lane.ASYNC:
            return LeaseProcess(lease, self._watch_over)
        return LeaseThread(lease, Ledger(station.settings, connect_briefly))

    def _watch_over(self, worker: int) -> None:
        """Be the warden, in the helper that renews the lease."""
        Warden(self._station, self._pulse, worker).watch()

    def _make_lane(self, task: AttemptTask) -> AsyncLane | ProcessLane:
        station, ledger = self._station, self._ledger
        if station.lane is Lane.PROCESS:
            return ProcessLane(
                station, task, ledger, self._publisher, self._reaper, self._replacement.ask
            )
        lane = AsyncLane(
            station, ledger, self._publisher, self._reaper, self._pulse, self._replacement.ask
        )
        install_capture()
        task.runner, task.hands_over = lane, True
        return lane

    def _serve(self) -> None:
        """Show in the ledger that this worker takes calls."""
        station = self._station
        self._ledger.beat(station.owner, station.pools, station.slots)
        self._catalog.offer(self._offer)
        tell_disagreements(station, self._catalog)
        self._lease.begin()
        self._is_serving = True
        if self._is_consuming:
            self._tell_ready()

    def _on_consuming(self, **_: Any) -> None:
        self._is_consuming = True
        if self._is_serving:
            self._tell_ready()

    def _tell_ready(self) -> None:
        self._probe.start()
        station = self._station
        log.info(
            "worker.ready",
            owner=station.owner,
            lane=station.lane.value,
            queues=",".join(station.queues),
            slots=station.slots,
            tools=len(station.registry),
            server=station.settings.safe_url,
        )
