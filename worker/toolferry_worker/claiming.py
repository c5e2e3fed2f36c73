"""Claiming: taking calls from the ledger, and seeing to it that some claims are not forgotten.

Where `TOOLFERRY_WAIT_REPLICAS` is set, a call that must not run twice starts only when its claim is
on that many replicas. One whose claim is not goes back, without having used up an attempt, and is
offered again a little later; its deadline ends that.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Final

import structlog

from toolferry import CallState
from toolferry_ledger import (
    Claim,
    ClaimReply,
    Ledger,
    Ring,
    Settlement,
    Untrusted,
    open_spec,
    secure_claims,
)
from toolferry_worker.persistence import claim_persistently, until_answered
from toolferry_worker.station import Station

log = structlog.get_logger(__name__)

#: Seconds until a call is offered again whose claim no replica has got.
UNSECURED_DELAY: Final = 1.0


def claim_calls(
    ledger: Ledger,
    station: Station,
    notices: Sequence[tuple[str, int]],
    room: int,
    gives_up: Callable[[], bool],
) -> ClaimReply:
    """Claim up to `room` calls whose handlers may start; see `claim_persistently`."""
    claim_id = secrets.token_hex(8)
    reply = claim_persistently(ledger, station.owner, notices, room, gives_up, claim_id)
    once = [claim for claim in reply.claims if _must_be_secured(claim, station)]
    if not once:
        return reply
    secured = until_answered(lambda: secure_claims(ledger, claim_id, once), gives_up) or []
    unsecured = [claim for claim, may in zip_longest(once, secured) if not may]
    if not unsecured:
        return reply
    rings = _give_back(ledger, station.owner, unsecured, gives_up)
    return ClaimReply(
        [one for one in reply.claims if one not in unsecured], [*reply.rings, *rings], reply.wake
    )


def _must_be_secured(claim: Claim, station: Station) -> bool:
    if not station.settings.wait_replicas:
        return False
    try:
        return not open_spec(station.signer, claim).repeatable
    except Untrusted:  # told, and ended, where every claim is looked at
        return False


def _give_back(
    ledger: Ledger, owner: str, claims: Sequence[Claim], gives_up: Callable[[], bool]
) -> Sequence[Ring]:
    for claim in claims:
        log.warning("claim.unsecured", call_key=claim.call_key, attempt=claim.attempt)
    settlements = [
        Settlement(
            one.call_key, one.fence, CallState.RETRYING, delay=UNSECURED_DELAY, uncounted=True
        )
        for one in claims
    ]
    reply = until_answered(lambda: ledger.settle(settlements, owner), gives_up)
    return reply.rings if reply else ()
