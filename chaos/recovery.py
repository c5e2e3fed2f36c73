"""Recovery: how soon a call went on after its process was killed, or its notice deleted. Pure.

The time begins with the kill or, if the server was away at that moment or went away before the call
went on, with the server's last return before that: nobody can go on without it. It ends with the
next start of the call. A deleted notice counts from when it would have been delivered, in the same
way. Calls that may not be repeated, or had no attempt left, have no next start and do not count.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from chaos.history import Call, History
from chaos.plan import FaultKind


def recoveries(history: History) -> dict[str, float]:
    """Give the seconds from the death of a call's process to its next start, by key and attempt."""
    returns = sorted(history.returns())
    return {
        f"{call.key} attempt {number}": seconds
        for call in history.calls
        for number, seconds in _recoveries_of(call, returns)
    }


def _recoveries_of(call: Call, returns: Sequence[float]) -> Iterator[tuple[int, float]]:
    for earlier, later in pairwise(call.attempts):
        if earlier.died is not None and later.start >= earlier.died:
            yield later.number, later.start - _begun(earlier.died, later.start, returns)


def heals(history: History) -> dict[str, float]:
    """Give the seconds from the deletion of a call's notice to the call's next start, by key."""
    returns = sorted(history.returns())
    calls = {call.key: call for call in history.calls}
    found: dict[str, float] = {}
    for line in history.faults:
        if line["what"] != FaultKind.DELETE_NOTICE:
            continue
        for key in line["keys"]:
            starts = [one.start for one in calls[key].attempts] if key in calls else []
            start = min((one for one in starts if one >= line["at"]), default=None)
            if start is not None:
                found[key] = start - _begun(line["at"], start, returns)
    return found


def _begun(fault: float, start: float, returns: Sequence[float]) -> float:
    """Give when the time begins: at the fault, or at the last return of the server after it."""
    at = bisect_right(returns, start)
    return max(fault, returns[at - 1]) if at else fault


def resumptions(history: History) -> list[float]:
    """Give the seconds from each return of the server to the next start of any handler."""
    starts = sorted(one.start for call in history.calls for one in call.attempts)
    found = []
    for at in history.returns():
        next_one = bisect_right(starts, at)
        if next_one < len(starts):
            found.append(starts[next_one] - at)
    return found


def percentile(values: Sequence[float], part: float) -> float | None:
    """Give the value that a part of the values does not exceed; None when there are none.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5), percentile([], 0.5)
    (2.0, None)
    """
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]
