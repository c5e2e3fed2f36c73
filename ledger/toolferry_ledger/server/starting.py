"""The look at a server at start: what cannot work is refused, the rest is warned of."""

from __future__ import annotations

from dataclasses import replace

import redis

from toolferry import LedgerUnavailable
from toolferry_ledger.keys import queue_prefix
from toolferry_ledger.logs import get_log
from toolferry_ledger.server.facts import ServerFacts, read_facts
from toolferry_ledger.server.remarks import Grade, remarks_on
from toolferry_ledger.settings import Settings

log = get_log(__name__)


def look_at_server(client: redis.Redis, settings: Settings) -> ServerFacts:
    """Read what matters about the server of a system; what its client raises is passed on."""
    queues = queue_prefix(settings.namespace) if settings.broker_is_own else ""
    facts = read_facts(client, settings.key_prefix, queues)
    return replace(facts, awaited_replicas=settings.wait_replicas)


def check_server(client: redis.Redis, settings: Settings) -> None:
    """Check that a server can be used, and warn of what it may lose.

    Args:
        client: Its timeouts bound how long this takes; what it raises is passed on.
        settings: The system that is to be kept there.

    Raises:
        LedgerUnavailable: The server is too old, a replica or part of a cluster, cannot write, or
            forbids what is needed.
    """
    for remark in remarks_on(look_at_server(client, settings)):
        # A full server may have room again when the first call comes.
        if remark.grade is Grade.FAIL and remark.about != "memory":
            raise LedgerUnavailable(settings.safe_url, f"{remark.message}; {remark.advice}")
        if remark.grade is not Grade.OK:
            log.warning(
                "server.doubtful",
                server=settings.safe_url,
                reason=remark.message,
                advice=remark.advice,
            )
