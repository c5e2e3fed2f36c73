"""The Celery application: `celery -A toolferry_worker worker -P solo` or `-P prefork`.

The pool decides the lane: solo runs the async lane, prefork the process lane. What a worker is gets
decided in `celeryd_init`, before Celery makes its own parts: the settings, the lane and its queues,
the tools.
"""

from __future__ import annotations

import logging
import sys
from typing import Any, Final, NoReturn

from celery import Celery
from celery.apps.worker import Worker
from celery.concurrency.base import BasePool
from celery.signals import celeryd_init, setup_logging
from click import Option

from toolferry import ConfigurationError, Lane, LedgerUnavailable, load_tools
from toolferry_ledger import TASK_NAME, Catalog, Ledger, Signer
from toolferry_worker.built_in import with_built_in_tools
from toolferry_worker.command import POOLS
from toolferry_worker.configuration import (
    common_configuration,
    drain_grace,
    lane_configuration,
    queues_from,
    slots_for,
    worker_settings,
)
from toolferry_worker.gate import Gate
from toolferry_worker.logs import configure_logging
from toolferry_worker.peers import LivePeers
from toolferry_worker.probe import probe_after, probe_queue
from toolferry_worker.redelivery import warn_of_redelivery
from toolferry_worker.services import Services
from toolferry_worker.station import Station, owner_name
from toolferry_worker.task import AttemptTask
from toolferry_worker.wear import max_memory_per_child, max_stuck, max_tasks_per_child

#: Seconds that Celery lets pass before it kills a child which does not say that it is up: a child
#: that opens what handlers share says so when it has; how long that may take, the porter decides.
PORTERS_TIME: Final = 7 * 86_400.0
#: Exit code of a worker that cannot start as it is configured.
EX_CONFIGURATION: Final = 2


def prepare(instance: Worker, conf: Any, options: dict[str, Any], **_: Any) -> None:
    """Decide what a worker is, or end the process with one clear line.

    Args:
        instance: The worker; its task gets the station.
        conf: The application's configuration; gets the lane's.
        options: What the command line said.
    """
    # Celery's own default is WARNING; ours is to tell the end of each call.
    configure_logging(min(options["loglevel"], logging.INFO))
    try:
        station = make_station(options)
    except (ConfigurationError, LedgerUnavailable) as error:
        _refuse(error)
    task = instance.app.tasks[TASK_NAME]
    task.station = station
    warn_of_redelivery(conf.broker_transport_options, station.registry, acks_late=task.acks_late)
    own = probe_queue(station.settings.namespace, station.owner) if station.probe_after else None
    conf.update(lane_configuration(station.settings, station.pools, own))
    if station.lane is Lane.PROCESS:
        conf.worker_concurrency = station.slots
        conf.worker_max_tasks_per_child = station.max_tasks_per_child
        conf.worker_max_memory_per_child = station.max_memory_per_child
        if station.registry.lifespans:
            conf.worker_proc_alive_timeout = PORTERS_TIME


def make_station(options: dict[str, Any]) -> Station:
    """Build the station of a worker that was started with these options.

    Raises:
        ConfigurationError: An option or a setting is missing or cannot be used.
        LedgerUnavailable: The server does not answer, or is too old.
    """
    if options.get("autoscale"):
        raise ConfigurationError("--autoscale", "is not supported: slots are told to the ledger")
    settings = worker_settings()
    if options.get("queues"):
        raise ConfigurationError("--queues", "is Celery's own: name the queues with --serve")
    lane = lane_of(options["pool"])
    tools = options.get("tools") or settings.tools
    if not tools:
        raise ConfigurationError("TOOLFERRY_TOOLS", "is not set, and no --tools was given")
    registry = with_built_in_tools(load_tools(tools))
    ledger = Ledger(settings)
    ledger.check()
    ledger.close()
    owner, signer = owner_name(lane), Signer(settings.secret)
    slots = slots_for(lane, options.get("concurrency"))
    return Station(
        settings=settings,
        lane=lane,
        owner=owner,
        queues=queues_from(options.get("serve"), registry),
        slots=slots,
        registry=registry,
        signer=signer,
        peers=LivePeers(Catalog(Ledger(settings), signer), owner),
        grace=drain_grace(),
        max_stuck=max_stuck(slots),
        probe_after=probe_after(),
        max_tasks_per_child=max_tasks_per_child(),
        max_memory_per_child=max_memory_per_child(),
    )


def lane_of(pool: type[BasePool]) -> Lane:
    """Tell which lane a Celery pool runs.

    Raises:
        ConfigurationError: It runs none: it can neither be left nor killed in time.
    """
    name = pool.__module__.rpartition(".")[2]
    for lane, pool_name in POOLS.items():
        if name == pool_name:
            return lane
    raise ConfigurationError(
        "--pool", f"{name} runs no lane; solo runs async tools, prefork the others"
    )


def _defaults() -> dict[str, Any]:
    try:
        return common_configuration(worker_settings())
    except (ConfigurationError, LedgerUnavailable) as error:
        _refuse(error)


def _refuse(error: Exception) -> NoReturn:
    sys.stderr.write(f"toolferry: {error}\n")
    raise SystemExit(EX_CONFIGURATION)


def _keep_logging(**_: Any) -> None:
    """Have Celery leave the logging alone: it sets up none where somebody listens to this."""


app = Celery("toolferry_worker")
app.add_defaults(_defaults)
app.register_task(AttemptTask())
app.steps["worker"].add(Services)
app.steps["consumer"].add(Gate)
app.user_options["worker"].update(
    {
        Option(["--tools"], help="The modules that define the tools, separated by commas."),
        Option(["--serve"], help="The queues to take calls from, separated by commas."),
    }
)
celeryd_init.connect(prepare, weak=False)
setup_logging.connect(_keep_logging, weak=False)
