"""Stopping: how any thread of a worker sees that it was told to stop."""

from __future__ import annotations

from celery.worker import state


def is_stopping() -> bool:
    """Tell whether the worker was told to stop, warm or cold."""
    # The flags hold exit codes, of which 0 equals False.
    flags = (state.should_stop, state.should_terminate)
    return any(flag is not None and flag is not False for flag in flags)
