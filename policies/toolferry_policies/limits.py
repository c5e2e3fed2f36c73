"""The arithmetic of limits: how long, how many together, how many at once."""

from __future__ import annotations

import math
from typing import Final

#: Calls in one notice at the most: each is claimed in one script run, which should stay short.
MAX_BATCH: Final = 32
#: Batches that each live process should get of a large turn, so that a slow one can be made up for.
BATCHES_PER_PROCESS: Final = 4
#: Calls of one process that are not split any further: each notice costs about as much as running
#: five empty calls (10 calls to one process took 9.8 ms in four notices and 5.5 ms in one).
WHOLE_SHARE: Final = 16
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


def batch_size(calls: int, live_processes: int) -> int:
    """Give how many calls of one turn travel in one notice of the async lane.

    Args:
        calls: Calls of the turn for this lane, 0 or more.
        live_processes: Async workers that are alive, 0 or more; none counts as one to come.

    Returns:
        1 to `MAX_BATCH`.

    >>> batch_size(1, 1), batch_size(10, 1), batch_size(10, 2), batch_size(100, 2)
    (1, 10, 5, 16)
    >>> batch_size(100, 1), batch_size(1000, 1)
    (25, 32)
    """
    share = math.ceil(calls / max(1, live_processes))
    split = max(math.ceil(share / BATCHES_PER_PROCESS), min(share, WHOLE_SHARE))
    return min(MAX_BATCH, max(1, split))


def window(live_slots: int) -> int:
    """Give how many notices of a lane may be out at once; the other ready calls wait their turn.

    Args:
        live_slots: Calls that the lane's live workers can run at once, 0 or more.

    >>> window(0), window(2), window(64)
    (4, 4, 128)
    """
    return max(MIN_WINDOW, NOTICES_PER_SLOT * live_slots)
