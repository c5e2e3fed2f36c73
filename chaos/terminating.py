"""Terminating: a harness that is told to end takes its processes along."""

from __future__ import annotations

import signal


def end_in_order() -> None:
    """Have SIGTERM end this process as Ctrl-C does: all that it started is stopped first."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
