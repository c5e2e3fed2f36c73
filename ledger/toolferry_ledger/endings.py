"""From the end of an attempt to what is written: the one place that turns verdicts into results."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from toolferry import (
    CallError,
    CallState,
    Cursor,
    Effect,
    EffectClass,
    ErrorCode,
    Outcome,
    ToolResult,
)
from toolferry_ledger.doubts import can_be_cleared, end_of_doubt
from toolferry_ledger.json_text import read_json, write_json
from toolferry_ledger.records import Claim, Settlement, Suspect
from toolferry_ledger.spec import Spec
from toolferry_ledger.waiting import limit_words
from toolferry_policies import FAULTS, Again, AttemptEnd, Ended, is_dead_letter, next_step

#: The codes that Toolferry gives itself for an attempt that was started.
_OUR_CODES: Final = frozenset(ErrorCode) - {ErrorCode.CANCELLED}


def conclude(
    spec: Spec,
    call: Claim | Suspect,
    end: AttemptEnd,
    finished_at: float,
    dice: float | None = None,
) -> Settlement:
    """Decide what follows the end of an attempt: another attempt, or the call's result.

    Args:
        spec: The call as it was signed.
        call: The attempt, or the suspect, with its fence.
        end: How it ended.
        finished_at: The server's time of the end, seconds since the epoch.
        dice: The jitter's draw in [0, 1); a fresh one when not given.
    """
    if call.doubt:
        end = end_of_doubt(call.doubt, end)
    step = next_step(
        end,
        attempt=call.attempt,
        policy=spec.retry,
        effect_class=spec.effect_class,
        repeatable=spec.repeatable,
        remaining=call.deadline_at - finished_at,
        dice=random.random() if dice is None else dice,  # noqa: S311 -- jitter, no secret
    )
    note, fault = write_note(call, end, finished_at), _is_fault(end, call)
    if isinstance(step, Again):
        state = CallState.RETRYING
        return Settlement(
            call.call_key, call.fence, state, delay=step.delay, note=note, fault=fault
        )
    result = _result(spec, call, end, step, finished_at)
    if can_be_cleared(spec, call, result):
        return Settlement(
            call.call_key,
            call.fence,
            CallState.RETRYING,
            result_text(result),
            verify=True,
            note=note,
            fault=fault,
        )
    return Settlement(
        call.call_key,
        call.fence,
        CallState(step.outcome.value),
        result_text(result),
        note=note,
        fault=fault,
        dead=is_dead_letter(result.outcome, result.effect, result.error, result.attempts),
        artifact=b"" if end.artifact is None else end.artifact.text,
    )


def result_text(result: ToolResult) -> bytes:
    """Give the JSON text of a result as the ledger keeps it."""
    return write_json(result.to_json())


def read_result(text: bytes) -> ToolResult:
    """Read the JSON text of a result."""
    return ToolResult.from_json(read_json(text))


def overdue_end(spec: Spec, suspect: Suspect) -> AttemptEnd:
    """Say how a suspect's attempt ended, as far as anybody can know.

    A dead worker means lost; a passed limit or deadline means timed out; who was withdrawn while it
    ran is cancelled, whatever ended it.
    """
    if suspect.cancelled is not None:
        return withdrawn_end(spec, suspect, suspect.cancelled)
    if suspect.abandoned:
        return lost_end(
            f"The worker that ran {spec.name} vanished during attempt {suspect.attempt}."
        )
    if suspect.state is CallState.RUNNING and suspect.deadline_at > suspect.now:
        return limit_end(spec, spec.timeout)
    end = deadline_end(spec, started=suspect.attempt > 0, waited_for=_waited_for(suspect))
    return replace(end, effect=Effect.NONE) if _did_nothing(spec, suspect) else end


def _did_nothing(spec: Spec, suspect: Suspect) -> bool:
    """Tell whether no attempt of a call had an effect: between two, a handler said so itself.

    No other would follow on one of a tool that may not be repeated, but to find out what it did.
    """
    waits = suspect.state is not CallState.RUNNING and not suspect.doubt
    return waits and not spec.repeatable


def _waited_for(suspect: Suspect) -> str:
    """Say for whom a call waited that has not started."""
    if suspect.state is CallState.AWAITING_APPROVAL:
        return ": nobody decided about it"
    limit = limit_words(suspect.waits_for)
    if limit:
        return f": {limit}"
    return f": it waited for call {suspect.waits_for}" if suspect.waits_for else ""


def deadline_end(spec: Spec, *, started: bool, waited_for: str = "") -> AttemptEnd:
    """Say that a call's deadline has passed, whether or not an attempt was ever started."""
    what = "end" if started else "start"
    message = f"{spec.name} did not {what} within its deadline of {spec.deadline:g} s{waited_for}."
    return AttemptEnd(
        outcome=Outcome.TIMED_OUT,
        error=CallError.of(ErrorCode.DEADLINE, message),
        retryable=False,
        effect=None if started else Effect.NONE,
    )


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


def withdrawn_end(spec: Spec, suspect: Suspect, reason: str) -> AttemptEnd:
    """Say that a suspect was withdrawn from outside, as far as anybody can know."""
    effect = Effect.NONE if _did_nothing(spec, suspect) else None
    return cancelled_end(spec, reason, started=suspect.attempt > 0, effect=effect)


def cancelled_end(
    spec: Spec, reason: str, *, started: bool, effect: Effect | None = None
) -> AttemptEnd:
    """Say that a call was withdrawn from outside.

    Args:
        spec: The call.
        reason: Why, one sentence without its full stop; may be empty.
        started: Whether an attempt was ever started; else nothing has happened.
        effect: The handler's word on the effect; None when it gave none.
    """
    when = "after it had been started" if started else "before it was started"
    message = f"{spec.name} was cancelled {when}{': ' if reason else ''}{reason}."
    known = effect if started else Effect.NONE
    if known in {None, Effect.POSSIBLE} and spec.effect_class is not EffectClass.READ:
        message += " It may or may not have had its effect."
    return AttemptEnd(
        outcome=Outcome.CANCELLED,
        error=CallError.of(ErrorCode.CANCELLED, message),
        effect=known,
    )


def lost_end(message: str) -> AttemptEnd:
    """Say that an attempt vanished with its worker; the message is one sentence for the model."""
    return AttemptEnd(outcome=Outcome.LOST, error=CallError.of(ErrorCode.WORKER_LOST, message))


def unserved_end(spec: Spec) -> AttemptEnd:
    """Say that a call's deadline has passed while no worker of its pool was alive."""
    message = (
        f"{spec.name} was not started within its deadline of {spec.deadline:g} s: "
        f"no worker was alive for {spec.pool.words}."
    )
    return AttemptEnd(
        outcome=Outcome.TIMED_OUT,
        error=CallError.of(ErrorCode.NO_WORKER, message),
        retryable=False,
        effect=Effect.NONE,
    )


def distrust(call: Claim | Suspect) -> Settlement:
    """End a call whose record cannot be believed: nothing more of it is run.

    What earlier attempts may have done is not known. The result names no call id and no tool: the
    dispatcher puts in what it knows itself.
    """
    is_new = isinstance(call, Claim) and not call.doubt
    began = call.attempt - 1 if is_new else call.attempt
    result = ToolResult(
        call_id="",
        name="",
        outcome=Outcome.FAILED,
        effect=Effect.POSSIBLE if began else Effect.NONE,
        error=CallError.of(
            ErrorCode.UNTRUSTED, "The record of this call could not be trusted, so it was not run."
        ),
        attempts=call.attempt,
        requested_at=call.requested_at,
        started_at=call.started_at,
        finished_at=call.started_at if isinstance(call, Claim) else call.now,
    )
    return Settlement(call.call_key, call.fence, CallState.FAILED, result_text(result))


def write_note(call: Claim | Suspect, end: AttemptEnd, finished_at: float) -> bytes:
    """Give what the history says of an attempt; nothing of a first one that succeeded."""
    at_once = call.attempt == 1 and end.outcome is Outcome.SUCCEEDED and not call.doubt
    if call.attempt == 0 or at_once or not _is_under_way(call):
        return b""
    return write_json(
        {
            "attempt": call.attempt,
            "started_at": call.started_at,
            "ended_at": finished_at,
            "outcome": end.outcome.value,
            "code": end.error.code if end.error else None,
            "message": end.error.message if end.error else None,
            **({"verified": True} if call.doubt else {}),
            **({} if end.withheld is None else {"withheld": end.withheld}),
        }
    )


def _is_fault(end: AttemptEnd, call: Claim | Suspect) -> bool:
    """Tell whether an attempt counts against its tool, which one in doubt has done before."""
    counts = _is_under_way(call) and not call.doubt
    return counts and end.error is not None and end.error.code in FAULTS


def _is_under_way(call: Claim | Suspect) -> bool:
    """Tell whether it is an attempt that ends; a call may also end between two, or before one."""
    return isinstance(call, Claim) or call.state is CallState.RUNNING


def _result(
    spec: Spec, call: Claim | Suspect, end: AttemptEnd, step: Ended, finished_at: float
) -> ToolResult:
    return ToolResult(
        call_id=spec.call_id,
        name=spec.name,
        outcome=step.outcome,
        effect=step.effect,
        content=end.content,
        error=_error(spec, end, step),
        truncated=end.truncated,
        next_cursor=_next_cursor(call, end),
        source=end.source,
        view=end.view,
        undo=end.undo,
        changes=spec.changes,
        repairs=spec.repairs,
        attempts=call.attempt,
        requested_at=call.requested_at,
        started_at=call.started_at,
        finished_at=finished_at,
    )


def _next_cursor(call: Claim | Suspect, end: AttemptEnd) -> str | None:
    """Say where reading goes on: where the tool says so, or else in the artifact."""
    if end.next_cursor is not None or end.artifact is None:
        return end.next_cursor
    return str(Cursor(call.call_key, end.artifact.goes_on))


def _error(spec: Spec, end: AttemptEnd, step: Ended) -> CallError | None:
    """Give the error as the model reads it: what may have happened must not invite a repeat.

    A handler that gave a code of its own knows what happened; its words stay as they are.
    """
    known = spec.repeatable or step.effect is Effect.NONE or end.verified
    if end.error is None or known or _is_withheld(end, step) or end.error.code not in _OUR_CODES:
        return end.error
    return end.error.doubtful()


def _is_withheld(end: AttemptEnd, step: Ended) -> bool:
    """Tell whether a call has happened for sure, and only its result is kept from the model."""
    withheld = end.error is not None and end.error.code == ErrorCode.BLOCKED
    return withheld and step.effect is Effect.COMMITTED
