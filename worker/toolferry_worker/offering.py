"""Offering: what a worker tells the catalog that it can run, and what it finds told otherwise."""

from __future__ import annotations

import time

import structlog

from toolferry import LedgerUnavailable, Tool
from toolferry_ledger import (
    Catalog,
    Offer,
    find_mismatches,
    tell_mismatches,
    write_definitions,
)
from toolferry_worker.station import Station

log = structlog.get_logger(__name__)


def offer_of(station: Station) -> Offer:
    """Write down what a worker offers."""
    return Offer(
        owner=station.owner,
        lane=station.lane,
        queues=station.queues,
        definitions=write_definitions(
            offered_tools(station), station.signer, station.registry.extensions
        ),
        since=time.time(),
    )


def offered_tools(station: Station) -> list[Tool]:
    """List the tools that a worker runs: of its lane and its queues, and with a handler."""
    return [
        tool
        for tool in station.registry
        if tool.lane is station.lane and tool.queue in station.queues and tool.handler is not None
    ]


def tell_disagreements(station: Station, catalog: Catalog) -> None:
    """Name in the log each tool that a live worker has otherwise than this one.

    What cannot be read is no reason not to start.
    """
    try:
        others = catalog.read().but_of(station.owner)
    except LedgerUnavailable as error:
        log.warning("catalog.unavailable", reason=str(error))
        return
    tell_mismatches(find_mismatches(offered_tools(station), others))
