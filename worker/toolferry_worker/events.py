"""The events of attempts and calls, as people and programs read them in the log.

One line at the end of each call; what happens on the way is told at debug level, unless a call was
retried or a worker came too late. Arguments and results are never logged, only sizes.
"""

from __future__ import annotations

from typing import Any

import structlog

from toolferry import CallState, split_call_key
from toolferry_worker.attempt import Finished

log = structlog.get_logger(__name__)


def tell_settled(finished: Finished, accepted: bool) -> None:  # noqa: FBT001 -- a fact, no switch
    """Tell what was written of an attempt.

    Args:
        finished: The attempt.
        accepted: Whether the ledger took it; else the call was not this worker's any more.
    """
    settlement = finished.settlement
    if settlement.late:
        log.warning("attempt.ended_late", **_keys(finished))
    elif not accepted:
        log.warning("lease.lost", **_keys(finished))
    elif settlement.uncounted:
        log.info("call.passed_on", **_keys(finished))
    elif settlement.verify:
        log.warning("call.doubted", **_keys(finished))
    elif settlement.state is CallState.RETRYING:
        log.warning("attempt.retried", **_keys(finished), delay_seconds=round(settlement.delay, 3))
    elif settlement.state is CallState.QUEUED:
        log.warning("attempt.given_back", **_keys(finished))
    else:
        tell = log.info if settlement.state is CallState.SUCCEEDED else log.warning
        tell(f"call.{settlement.state.value}", **_keys(finished))


def _keys(finished: Finished) -> dict[str, Any]:
    claim = finished.claim
    turn_id, _ = split_call_key(claim.call_key)
    keys: dict[str, Any] = {
        "call_key": claim.call_key,
        "call_id": finished.call_id,
        "turn_id": turn_id,
        "tool": finished.tool,
        "attempt": claim.attempt,
        "duration_seconds": round(finished.duration, 4),
        "wait_seconds": round((claim.started_at or claim.requested_at) - claim.requested_at, 4),
    }
    if finished.error is not None:
        keys["error_code"] = finished.error.code
    if finished.settlement.result is not None:
        keys["result_bytes"] = len(finished.settlement.result)
    return keys
