"""Stopping: how any thread of a worker sees that it was told to stop."""

from __future__ import annotations

from celery.worker import state


def is_stopping() -> bool:
    """Tell whether the worker was told to stop, warm or cold."""
    return _is_set(state.should_stop) or _is_set(state.should_terminate)


def _is_set(flag: object) -> bool:
    # It holds an exit code, of which 0 equals False.
    return flag is not None and flag is not False
