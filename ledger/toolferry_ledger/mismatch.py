"""Mismatches: tools of which two processes of a system know different versions, named at start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from toolferry import Tool
from toolferry_ledger.logs import get_log
from toolferry_ledger.offers import Offers
from toolferry_ledger.route import Pool

log = get_log(__name__)

#: Lines in the log at the most: when a whole release differs, a thousand say no more than these.
MAX_TOLD: Final = 50


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One tool as this process knows it, and as live workers know it."""

    tool: str
    #: The digest of the tool that this process has.
    digest: str
    #: The digest of the one that the workers offer; None when none of those who take its calls
    #: offers it at all.
    offered: str | None
    #: The workers that offer it, by their owner names.
    workers: tuple[str, ...] = ()


def find_mismatches(own: Iterable[Tool], offers: Offers) -> list[Mismatch]:
    """List what live workers know otherwise than this process, sorted by tool.

    Args:
        own: The tools of this process.
        offers: What others offer.
    """
    offered = offers.by_digest()
    return [
        Mismatch(tool.name, tool.digest, digest, tuple(worker.owner for worker in workers))
        for tool in sorted(own, key=lambda tool: tool.name)
        for digest, workers in sorted(offered.get(tool.name, {}).items())
        if digest != tool.digest
    ]


def find_unserved(own: Iterable[Tool], offers: Offers) -> list[Mismatch]:
    """List the tools that no live worker offers although one is alive for their pool."""
    offered = offers.by_digest().keys() | offers.declared.keys()
    pools = {Pool(offer.lane, queue) for offer in offers.live for queue in offer.queues}
    return [
        Mismatch(tool.name, tool.digest, None)
        for tool in sorted(own, key=lambda tool: tool.name)
        if tool.name not in offered and Pool.of(tool) in pools
    ]


def tell_mismatches(mismatches: Sequence[Mismatch]) -> None:
    """Tell each mismatch in one line of the log: both digests, and whose they are."""
    for one in mismatches[:MAX_TOLD]:
        log.warning(
            "catalog.mismatch",
            tool=one.tool,
            digest=one.digest,
            offered=one.offered,
            worker=one.workers[0] if one.workers else None,
            workers=len(one.workers),
        )
    if len(mismatches) > MAX_TOLD:
        log.warning("catalog.more_mismatches", untold=len(mismatches) - MAX_TOLD)
