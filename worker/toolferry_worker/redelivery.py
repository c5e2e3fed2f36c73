"""Redelivery: what a broker does with messages that it takes for lost, and what we say to that.

Notices are acknowledged when they are taken, and on Redis not kept a second time at all, so that
nothing is delivered again. Who changes that in Celery's configuration has a call that runs longer
than `visibility_timeout` announced again and again. That harms no call, because one that runs is
not given to anybody else; but it costs commands, and it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import structlog
from kombu import Message

from toolferry import Tool

log = structlog.get_logger(__name__)

#: Seconds after which kombu's Redis transport delivers again what is not acknowledged, if not told
#: otherwise.
DEFAULT_VISIBILITY: Final = 3600.0


def redelivery_fault(
    options: Mapping[str, Any], tools: Iterable[Tool], *, acks_late: bool
) -> str | None:
    """Say why a broker would deliver the notice of a call again that still runs; None if it won't.

    Args:
        options: Celery's `broker_transport_options`.
        tools: The worker's tools.
        acks_late: Whether messages are acknowledged only after their calls have ended.

    >>> redelivery_fault({"ack_emulation": False}, (), acks_late=True)
    """
    if not acks_late or not options.get("ack_emulation", True):
        return None
    limit = max((tool.timeout for tool in tools), default=0.0)
    visibility = float(options.get("visibility_timeout", DEFAULT_VISIBILITY))
    if visibility > limit:
        return None
    return f"visibility_timeout {visibility:g} s is not above the longest limit, {limit:g} s"


def warn_of_redelivery(
    options: Mapping[str, Any], tools: Iterable[Tool], *, acks_late: bool
) -> None:
    """Log a warning at start, when there is reason to; see `redelivery_fault`."""
    fault = redelivery_fault(options, tools, acks_late=acks_late)
    if fault:
        log.warning("broker.redelivers", reason=fault, advice="leave task_acks_late off")


def tell_redelivered(message: Message) -> None:
    """Log that a broker has delivered a message before."""
    info = message.delivery_info or {}
    if info.get("redelivered"):
        log.info("notice.redelivered", notice=message.headers.get("id"))
