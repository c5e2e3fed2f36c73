"""One attempt, from the claim to what is written.

    claim → bind → validate → call → adapt → finish

1. The claim is what the ledger gave: a signed record, a fence, a limit.
2. `bind`: the record is genuine, and this worker has the tool that it was made for; if not, the
   call goes to a worker that has it, or ends as `tool_changed` when there is none. A tool that
   fails all the time is not called: the call ends as `tool_shed`.
3. `validate`: the arguments fit this worker's schema of the tool and keep its rules, and become the
   handler's.
4. `call` and `adapt`, see `calling`: the handler runs within its hooks, what it gives becomes a
   result, and hooks say whether a model may read it.
5. `finish`: the pure rules decide whether that is the end or another attempt follows.

No step raises: each attempt that was claimed ends in something to be written.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from toolferry import (
    NOT_EXECUTED,
    CallError,
    CallState,
    ConfigurationError,
    Effect,
    ErrorCode,
    Hooks,
    InvalidArguments,
    Outcome,
    Tool,
    ToolContext,
    schema_error,
)
from toolferry.binding import Bound
from toolferry.blanks import patterns_of
from toolferry.record import record
from toolferry_ledger import (
    Claim,
    Settlement,
    Spec,
    Suspect,
    Untrusted,
    cancelled_end,
    conclude,
    distrust,
    get_log,
    hiding,
    limit_end,
    open_secrets,
    open_spec,
    write_note,
)
from toolferry_policies import NOTHING, AttemptEnd, Hidden, hidden_of
from toolferry_worker.at_use import fault_at_use
from toolferry_worker.checkpoints import Checkpoints, NoCheckpoints, restored
from toolferry_worker.limiting import within_limits
from toolferry_worker.progress import Reports
from toolferry_worker.quiet import quiet_context, quiet_error
from toolferry_worker.station import Station
from toolferry_worker.verdicts import judge_stopped

log = get_log(__name__)

#: Seconds until a call is offered again that only another worker can run, at the least and at the
#: most; in between a fifth of the time that it has waited, so that calls whose own worker is busy
#: do not go round all the time.
PASS_ON_DELAYS: Final = (0.05, 1.0)

_KEPT_NOWHERE: Final = NoCheckpoints()


@record(frozen=True, slots=True)
class Attempt:
    """An attempt whose handler can be called."""

    claim: Claim
    #: When it was claimed, on this machine's monotonic clock.
    began: float
    spec: Spec
    tool: Tool
    #: What the handler is to be called with.
    bound: Bound
    #: What nobody but the handler may see: secret arguments, and the secrets of the context.
    hidden: Hidden = NOTHING
    #: Whose hooks are asked around the handler and after it.
    hooks: tuple[Hooks, ...] = ()

    @property
    def elapsed(self) -> float:
        """Seconds since the claim."""
        return time.monotonic() - self.began

    @property
    def treatment(self) -> Callable[[Any], Any] | None:
        """What takes its secrets out of a result; None when none are in it, or they may be."""
        return self.hidden.out_of_data if self.hidden and not self.tool.reveals else None

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """What its tool wants taken out besides, of every text."""
        return patterns_of(self.tool.redact) if self.tool.redact else ()

    @property
    def discreet(self) -> Hidden:
        """What takes both out of whatever is said of it."""
        return _discreet(self.tool, self.hidden)

    @property
    def function(self) -> Callable[..., Any]:
        """What is to be called: the handler, or what finds out what an earlier attempt did."""
        verify = self.tool.verify if self.claim.doubt else None
        return verify or self.tool


@record(frozen=True, slots=True)
class Finished:
    """An attempt of which all is decided; it has to be written."""

    #: As it was claimed; or as the ledger knows it, when somebody else than its handler tells.
    claim: Claim | Suspect
    #: The provider's id of the call; empty when the record could not be believed, as is the tool.
    call_id: str
    tool: str
    settlement: Settlement
    #: Why the attempt did not succeed; None when it did, or when it never began.
    error: CallError | None
    #: Seconds from the claim to the decision.
    duration: float


def begin(
    claim: Claim, station: Station, reporter: Reports, checkpoints: Checkpoints = _KEPT_NOWHERE
) -> Attempt | Finished:
    """Make a claim ready to be called: bind it, validate it. Finished when it cannot be run.

    Args:
        claim: What the ledger gave.
        station: Knows the tools and the secret.
        reporter: Brings the handler's progress to the ledger.
        checkpoints: Brings what the handler keeps for its next attempt there.
    """
    began = time.monotonic()
    spec = _opened(claim, station)
    if isinstance(spec, Finished):
        return spec
    tool = station.registry.get(spec.name)
    if tool is None or tool.handler is None or tool.digest != spec.tool_digest:
        return _not_here(claim, spec, station)
    hidden = hidden_of(tool, spec.context, spec.arguments, spec.original)
    tool = within_limits(tool, spec.max_result_bytes)
    fault = _kept_from(claim, spec) or _misfit(tool, spec) or _against_rules(claim, tool, spec)
    if fault:
        return _refused(claim, spec, quiet_error(fault, hidden))
    try:
        bind = tool.bind_verify if claim.doubt else tool.bind
        ctx = _context(claim, spec, station, reporter, checkpoints)
        discreet = _discreet(tool, hidden)
        bound = bind(spec.arguments, quiet_context(ctx, spec, discreet, station.signer))
    except InvalidArguments as error:
        fault = CallError.of(ErrorCode.SCHEMA, error.reason, faults=error.faults)
        return _refused(claim, spec, quiet_error(fault, hidden))
    except BaseException as error:  # noqa: BLE001 -- a validator of the tool's own raises what it likes
        return _refused(claim, spec, _broken(spec, hidden, error))
    hooks = station.registry.extensions.hooks
    asked = tuple(one for one in hooks if one.concerns(tool.name)) if hooks else ()
    return Attempt(claim, began, spec, tool, bound, hidden, asked)


def finish(attempt: Attempt, end: AttemptEnd) -> Finished:
    """Decide what follows the end of an attempt: its call's result, or another attempt."""
    elapsed = attempt.elapsed
    now = attempt.claim.started_at + elapsed
    settlement = conclude(attempt.spec, attempt.claim, end, now)
    return _finished(attempt.claim, attempt.spec, settlement, end.error, elapsed)


def time_out(attempt: Attempt) -> Finished:
    """End an attempt whose time was up before its handler ended."""
    return finish(attempt, limit_end(attempt.spec, attempt.claim.limit))


def holding(finished: Finished) -> Finished:
    """Say of an end that the handler still runs: what its call holds stays held till `end_late`."""
    return replace(finished, settlement=replace(finished.settlement, holding=True))


def end_cancelled(attempt: Attempt, reason: str, effect: Effect | None = None) -> Finished:
    """End an attempt whose handler has stopped because its call was cancelled.

    Args:
        attempt: The attempt.
        reason: Why its call was cancelled.
        effect: The handler's word on the effect; None when it gave none.
    """
    # What a `verify` says of an end of its own is no word on the attempt before.
    known = None if attempt.claim.doubt else effect
    return finish(attempt, cancelled_end(attempt.spec, reason, started=True, effect=known))


def end_unstarted(attempt: Attempt, reason: str) -> Finished:
    """End an attempt whose call was cancelled before its handler was called."""
    was_started = attempt.claim.attempt > 1 or bool(attempt.claim.doubt)
    return finish(attempt, cancelled_end(attempt.spec, reason, started=was_started))


def end_late(attempt: Attempt, end: AttemptEnd) -> Finished:
    """Tell that the handler of an attempt has ended whose time was up: it changes nothing more."""
    elapsed = attempt.elapsed
    note = write_note(attempt.claim, end, attempt.claim.started_at + elapsed)
    state = CallState(end.outcome.value)
    settlement = Settlement(
        attempt.claim.call_key, attempt.claim.fence, state, late=True, note=note
    )
    return _finished(attempt.claim, attempt.spec, settlement, end.error, elapsed)


def put_back(attempt: Attempt) -> Finished:
    """End an attempt whose handler was not called because the worker shuts down."""
    claim = attempt.claim
    settlement = Settlement(claim.call_key, claim.fence, CallState.QUEUED, uncounted=True)
    return _finished(claim, attempt.spec, settlement)


def give_back(attempt: Attempt) -> Finished:
    """End an attempt whose handler is stopped because the worker shuts down."""
    elapsed = attempt.elapsed
    now = attempt.claim.started_at + elapsed
    settlement = judge_stopped(attempt.spec, attempt.claim, now)
    return _finished(attempt.claim, attempt.spec, settlement, None, elapsed)


def _not_here(claim: Claim, spec: Spec, station: Station) -> Finished:
    """Leave a call to a worker that has the tool as the call was made for, or end it."""
    if station.peers.may_run(spec.pool, spec.tool_digest):
        return _passed_on(claim, spec)
    message = (
        f"The call was made for version {spec.tool_version} ({spec.tool_digest}) of {spec.name},"
        " which no live worker has."
    )
    return _refused(claim, spec, CallError.of(ErrorCode.TOOL_CHANGED, message))


def _opened(claim: Claim, station: Station) -> Spec | Finished:
    """Read a call, its secrets included. Finished when it cannot be believed, or not be opened."""
    try:
        spec = open_spec(station.signer, claim)
        return open_secrets(spec, station.signer)
    except Untrusted as error:
        # The reason says it all; a traceback would only show our own code.
        log.error("call.untrusted", call_key=claim.call_key, reason=str(error))  # noqa: TRY400 -- as above
        return Finished(claim, "", "", distrust(claim), None, 0.0)
    except ConfigurationError as error:  # the package that decrypts is not installed here
        log.error("call.unopened", call_key=claim.call_key, tool=spec.name, reason=str(error))  # noqa: TRY400 -- as above
    message = f"The secrets of this call cannot be opened where {spec.name} runs; it was not run."
    return _refused(claim, spec, CallError.of(ErrorCode.NO_SECRET, message))


def _kept_from(claim: Claim, spec: Spec) -> CallError | None:
    if "halted" in claim.marks:
        return CallError.of(ErrorCode.NOT_EXECUTED, NOT_EXECUTED)
    # To find out what an attempt did is not to call the tool again.
    if "shed" not in claim.marks or "verify" in claim.marks:
        return None
    message = f"{spec.name} has failed too often of late and rests for a moment; it was not run."
    return CallError.of(ErrorCode.TOOL_SHED, message)


def _broken(spec: Spec, hidden: Hidden, error: BaseException) -> CallError:
    reference = secrets.token_hex(4)
    keys = {"call_id": spec.call_id, "turn_id": spec.turn_id, "tool": spec.name}
    with hiding(hidden.secrets):
        log.error("attempt.failed", **keys, reference=reference, exc_info=error)
    message = f"{spec.name} failed with {type(error).__name__} (reference {reference})."
    return CallError.of(ErrorCode.EXECUTION_FAILED, message)


def _discreet(tool: Tool, hidden: Hidden) -> Hidden:
    return Hidden(hidden.secrets, patterns_of(tool.redact)) if tool.redact else hidden


def _misfit(tool: Tool, spec: Spec) -> CallError | None:
    faults = tool.validator.faults(spec.arguments)
    return schema_error(spec.name, faults) if faults else None


def _against_rules(claim: Claim, tool: Tool, spec: Spec) -> CallError | None:
    # To find out what an attempt did is not to call the tool again.
    return None if claim.doubt else fault_at_use(tool, spec)


def _context(
    claim: Claim, spec: Spec, station: Station, reporter: Reports, checkpoints: Checkpoints
) -> ToolContext:
    return ToolContext(
        identity=spec.context,
        turn_id=spec.turn_id,
        call_id=spec.call_id,
        call_key=claim.call_key,
        attempt=claim.attempt,
        deadline=claim.deadline_at,
        idempotency_key=spec.replay_of or claim.call_key,
        report=reporter.for_call(claim),
        restored=restored(claim, station.signer),
        keep=checkpoints.for_call(claim),
        provided=station.provided,
    )


def _refused(claim: Claim, spec: Spec, fault: CallError) -> Finished:
    """End a call whose handler must not be called: it had no effect, a repeat would not help."""
    end = AttemptEnd(outcome=Outcome.FAILED, error=fault, retryable=False, effect=Effect.NONE)
    settlement = conclude(spec, claim, end, claim.started_at)
    return _finished(claim, spec, settlement, fault)


def _passed_on(claim: Claim, spec: Spec) -> Finished:
    """Offer a call again, for others; its deadline ends that if none of them takes it."""
    soonest, latest = PASS_ON_DELAYS
    waited = claim.started_at - claim.requested_at
    delay = min(max(soonest, waited / 5), latest)
    settlement = Settlement(
        claim.call_key, claim.fence, CallState.RETRYING, delay=delay, uncounted=True
    )
    return _finished(claim, spec, settlement)


def _finished(
    claim: Claim,
    spec: Spec,
    settlement: Settlement,
    error: CallError | None = None,
    duration: float = 0.0,
) -> Finished:
    return Finished(claim, spec.call_id, spec.name, settlement, error, duration)
