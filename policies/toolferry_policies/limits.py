"""The arithmetic of limits: how long an attempt may take."""

from __future__ import annotations


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
