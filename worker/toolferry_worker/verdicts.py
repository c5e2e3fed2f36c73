"""Verdicts on attempts whose handler did not tell their end itself. Pure: facts in, verdict out."""

from __future__ import annotations

from toolferry import CallError, CallState, Effect, ErrorCode, Outcome, ToolResult
from toolferry_ledger import (
    Claim,
    Settlement,
    Spec,
    Suspect,
    conclude,
    deadline_end,
    result_text,
)
from toolferry_policies import AttemptEnd


def limit_end(spec: Spec, limit: float) -> AttemptEnd:
    """Say that an attempt outlived its limit: the tool's, or what the deadline had left of it.

    Args:
        spec: The call.
        limit: Seconds that the attempt could take.
    """
    if limit < spec.timeout:
        return deadline_end(spec, started=True)
    message = f"{spec.name} did not end within its limit of {spec.timeout:g} s."
    return AttemptEnd(outcome=Outcome.TIMED_OUT, error=CallError.of(ErrorCode.TIMEOUT, message))


def judge_killed(spec: Spec, suspect: Suspect) -> Settlement:
    """Judge an attempt that was ended by force because it was over its limit."""
    limit = suspect.deadline_at - (suspect.started_at or suspect.now)
    return conclude(spec, suspect, limit_end(spec, limit), suspect.now)


def judge_lost(spec: Spec, suspect: Suspect) -> Settlement:
    """Judge an attempt whose process died."""
    message = f"The process that ran {spec.name} died during attempt {suspect.attempt}."
    return conclude(spec, suspect, _lost(message), suspect.now)


def judge_stopped(spec: Spec, call: Claim | Suspect, now: float) -> Settlement:
    """Judge an attempt that was stopped because its worker shuts down.

    A call that may be repeated is given back: another worker takes it at once. Any other ends as
    lost: it may have happened.
    """
    if spec.repeatable:
        return Settlement(call.call_key, call.fence, CallState.QUEUED)
    message = f"The worker that ran {spec.name} was shut down during attempt {call.attempt}."
    return conclude(spec, call, _lost(message), now)


def judge_untrusted(claim: Claim) -> Settlement:
    """Refuse a call whose record cannot be believed; nothing of it was run.

    The result names no call id and no tool: the dispatcher puts in what it knows itself.
    """
    message = "The record of this call could not be trusted, so it was not run."
    result = ToolResult(
        call_id="",
        name="",
        outcome=Outcome.FAILED,
        effect=Effect.NONE,
        error=CallError.of(ErrorCode.UNTRUSTED, message),
        attempts=claim.attempt,
        requested_at=claim.requested_at,
        started_at=claim.started_at,
        finished_at=claim.started_at,
    )
    return Settlement(claim.call_key, claim.fence, CallState.FAILED, result_text(result))


def _lost(message: str) -> AttemptEnd:
    return AttemptEnd(outcome=Outcome.LOST, error=CallError.of(ErrorCode.WORKER_LOST, message))
