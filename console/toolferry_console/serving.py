"""Who serves which calls, as people are told it. Pure."""

from __future__ import annotations

from toolferry import Lane
from toolferry_ledger import Overview, Pool


def unserved_pools(overview: Overview) -> set[Pool]:
    """Give the pools without a worker: those of both lanes, and those that calls were made for."""
    wanted = {Pool(lane) for lane in Lane} | overview.pools
    served = {
        Pool(worker.lane, queue)
        for worker in overview.workers
        if worker.lease_seconds > 0
        for queue in worker.queues
    }
    return wanted - served
