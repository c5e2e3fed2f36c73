"""Verdicts on attempts whose handler did not tell their end itself. Pure: facts in, verdict out."""

from __future__ import annotations

from toolferry import CallState
from toolferry_ledger import (
    Claim,
    Settlement,
    Spec,
    Suspect,
    cancelled_end,
    conclude,
    limit_end,
    lost_end,
)


def judge_killed(spec: Spec, suspect: Suspect) -> Settlement:
    """Judge an attempt that was ended by force because it was over its limit."""
    limit = suspect.deadline_at - (suspect.started_at or suspect.now)
    return conclude(spec, suspect, limit_end(spec, limit), suspect.now)


def judge_cancelled(spec: Spec, suspect: Suspect) -> Settlement:
    """Judge an attempt of a call that was cancelled, whatever has ended it."""
    end = cancelled_end(spec, suspect.cancelled or "", started=True)
    return conclude(spec, suspect, end, suspect.now)


def judge_lost(spec: Spec, suspect: Suspect) -> Settlement:
    """Judge an attempt whose process died."""
    message = f"The process that ran {spec.name} died during attempt {suspect.attempt}."
    return conclude(spec, suspect, lost_end(message), suspect.now)


def judge_stopped(spec: Spec, call: Claim | Suspect, now: float) -> Settlement:
    """Judge an attempt that was stopped because its worker shuts down.

    A call that may be repeated is given back: another worker takes it at once. Any other ends as
    lost: it may have happened.
    """
    if spec.repeatable:
        return Settlement(call.call_key, call.fence, CallState.QUEUED)
    message = f"The worker that ran {spec.name} was shut down during attempt {call.attempt}."
    return conclude(spec, call, lost_end(message), now)
