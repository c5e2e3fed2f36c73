"""The arithmetic of limits: how long, how many together, how many at once."""

from __future__ import annotations

from typing import Final

#: Notices of a lane that are out at the least: a worker that starts must find work.
MIN_WINDOW: Final = 4
#: Notices for each slot: one runs, one waits, so that no slot idles for a round trip.
NOTICES_PER_SLOT: Final = 2


def attempt_limit(timeout: float, remaining: float) -> float:
    """Give the seconds that an attempt may take: its own limit or what the deadline leaves.

    Args:
        timeout: The tool's limit for one attempt, above 0.
        remaining: Seconds to the call's deadline; may be negative.

    Returns:
        Seconds, 0 or more; 0 means that the call must not start.

    >>> attempt_limit(10.0, 60.0), attempt_limit(10.0, 3.0), attempt_limit(10.0, -1.0)
    (10.0, 3.0, 0.0)
    """
    return max(0.0, min(timeout, remaining))


def window(live_slots: int) -> int:
    """Give how many notices of a lane may be out at once; the other ready calls wait their turn.

    Args:
        live_slots: Calls that the lane's live workers can run at once, 0 or more.

    >>> window(0), window(2), window(64)
    (4, 4, 128)
    """
    return max(MIN_WINDOW, NOTICES_PER_SLOT * live_slots)
