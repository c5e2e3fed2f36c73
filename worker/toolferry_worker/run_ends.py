"""How runs end: what is written of one, by what was done to it. Pure."""

from __future__ import annotations

from toolferry import CallState, Outcome
from toolferry_ledger import Settlement
from toolferry_policies import AttemptEnd
from toolferry_worker.attempt import (
    Attempt,
    Finished,
    end_cancelled,
    finish,
    give_back,
    holding,
    time_out,
)
from toolferry_worker.runs import Run


def own_end(run: Run, attempt: Attempt, end: AttemptEnd) -> Finished:
    """End an attempt whose handler has ended, before its call's end was told.

    Who was cancelled and ended well has succeeded; who was over its limit has timed out all the
    same.
    """
    if run.cancelled is not None and end.outcome is not Outcome.SUCCEEDED:
        return end_cancelled(attempt, run.cancelled, end.effect)
    if run.is_overdue:
        return time_out(attempt)
    return finish(attempt, end)


def left_behind(run: Run, attempt: Attempt) -> Finished:
    """End a call whose handler runs on although it was asked to stop."""
    if run.cancelled is None:
        return holding(time_out(attempt))
    return holding(end_cancelled(attempt, run.cancelled))


def stopped(run: Run, attempt: Attempt) -> Finished:
    """End an attempt because the worker stops; a cancelled call is not given back."""
    if run.cancelled is None:
        return give_back(attempt)
    return end_cancelled(attempt, run.cancelled)


def unbegun(run: Run) -> Finished:
    """Give a call back whose handler was never called."""
    claim = run.claim
    settlement = Settlement(claim.call_key, claim.fence, CallState.QUEUED, uncounted=True)
    return Finished(claim, "", "", settlement, None, 0.0)
