"""Hooks around a handler, and after it.

1. `execute`: the context manager that each hook gives is entered before the handler, in order, and
   left after it, in the reverse order, at every attempt. One that cannot be entered keeps the
   handler from being called. One that cannot be left after the handler has returned keeps its
   result back. After the handler has raised it is only told in the log: the handler's error counts,
   and no hook can swallow it.
2. `post_execute`: of what a handler returned each hook is asked in order, once, for a handler that
   has returned is not called again. It is accepted, replaced, or kept back; whatever is no answer
   keeps it back.

A result that is kept back is a failure that says so, with the effect that the call has had. What
the handler returned is kept nowhere, only its size, and what it gave to take the call back with.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any, Final

from toolferry import (
    CallError,
    ConversionFailed,
    Effect,
    ErrorCode,
    Hook,
    Outcome,
    ToolCall,
)
from toolferry.shaping import json_size, reshape
from toolferry_ledger import Silence, get_log
from toolferry_policies import (
    Accept,
    Aftermath,
    AttemptEnd,
    Block,
    Replace,
    Underway,
    mask_keys,
    name_of,
)
from toolferry_worker.attempt import Attempt
from toolferry_worker.steps import Steps, Walker, ask, walk

log = get_log(__name__)

#: Characters of a hook's reason that a model reads, and in which secrets are looked for.
MAX_REASON: Final = 500
MAX_HEARD: Final = 10 * MAX_REASON


class HookBroke(Exception):
    """A hook ends the attempt.

    Args:
        end: How.
        returned: What the handler returned, in a tuple of its own; empty when it was not called.
    """

    def __init__(self, end: AttemptEnd, returned: tuple[Any, ...] = ()) -> None:
        super().__init__(end)
        self.end = end
        self.returned = returned


#: A context manager that was entered, what leaves it, and the hook that gave it.
_Entered = tuple[Callable[..., Any], Hook, float]


async def hooked_async(attempt: Attempt, act: Callable[[], Awaitable[Any]]) -> Any:
    """Call an async handler within its hooks, and give what it returned.

    Raises:
        HookBroke: A hook ends the attempt.
        BaseException: What the handler raised.
    """
    entered = await walk(_enter_all(attempt))
    try:
        value = await act()
    except BaseException as error:
        await walk(_leave_all(attempt, entered, error))
        raise
    await walk(_leave_all(attempt, entered, None, (value,)))
    return value


def hooked_sync(attempt: Attempt, act: Callable[[], Any]) -> Any:
    """Call a handler within its hooks where no loop runs; see `hooked_async`."""
    with Walker() as walker:
        entered = walker.walk(_enter_all(attempt))
        try:
            value = act()
        except BaseException as error:
            walker.walk(_leave_all(attempt, entered, error))
            raise
        walker.walk(_leave_all(attempt, entered, None, (value,)))
        return value


async def received_async(attempt: Attempt, end: AttemptEnd) -> AttemptEnd:
    """Ask the hooks about what a handler returned; anything else ends as it did."""
    try:
        return await walk(_receive(attempt, end))
    except BaseException:  # noqa: BLE001 -- a cancellation: whoever cancelled tells the end
        end_now = _kept_back(attempt, "a policy was not done with its result in time")
        return replace(end_now, undo=end.undo)


def received_sync(attempt: Attempt, end: AttemptEnd) -> AttemptEnd:
    """Ask the hooks where no loop runs; see `received_async`.

    Raises:
        SoftTimeLimitExceeded: The attempt's limit has passed, or its call was cancelled.
    """
    with Walker() as walker:
        return walker.walk(_receive(attempt, end))


def _enter_all(attempt: Attempt) -> Steps[list[_Entered]]:
    entered: list[_Entered] = []
    # To find out what an attempt did is no attempt.
    for hooks in () if attempt.claim.doubt else attempt.hooks:
        for hook in hooks.execute:
            try:
                entered.append((yield from _entered(attempt, hook, hooks.within)))
            except BaseException as error:
                yield from _leave_all(attempt, entered, error)
                raise
    return entered


def _entered(attempt: Attempt, hook: Hook, within: float) -> Steps[_Entered]:
    """Enter one manager.

    Raises:
        HookBroke: It cannot be.
    """
    found = yield from _enter(attempt, hook, within)
    if isinstance(found, Silence):
        raise HookBroke(_refused(attempt, hook, found))
    return found


def _enter(attempt: Attempt, hook: Hook, within: float) -> Steps[_Entered | Silence]:
    manager = yield from ask(hook, (_underway(attempt),), within)
    if isinstance(manager, Silence):
        return manager
    kind = type(manager)
    for enter, leave in (("__enter__", "__exit__"), ("__aenter__", "__aexit__")):
        if hasattr(kind, enter) and hasattr(kind, leave):
            answer = yield from ask(getattr(manager, enter), (), within)
            return (
                answer if isinstance(answer, Silence) else (getattr(manager, leave), hook, within)
            )
    return Silence(f"gave {kind.__name__}, which is no context manager")


def _leave_all(
    attempt: Attempt,
    entered: list[_Entered],
    error: BaseException | None,
    returned: tuple[Any, ...] = (),
) -> Steps[None]:
    """Leave every manager.

    Raises:
        HookBroke: The handler has returned, and one of them broke.
        BaseException: What ends the attempt meanwhile, once all are left.
    """
    about = (type(error), error, error.__traceback__) if error else (None, None, None)
    broke, ends = False, None
    for leave, hook, within in reversed(entered):
        try:
            answer = yield from ask(leave, about, within)
        except BaseException as raised:  # noqa: BLE001 -- raised again below, or it is the handler's
            ends = ends or (None if raised is error else raised)
            continue
        if isinstance(answer, Silence):
            _tell(attempt, hook, answer)
            broke = True
    if ends is not None:
        raise ends
    if broke and error is None:
        raise HookBroke(_kept_back(attempt, "a policy could not judge its result"), returned)


def _receive(attempt: Attempt, end: AttemptEnd) -> Steps[AttemptEnd]:
    for hooks in attempt.hooks if end.outcome is Outcome.SUCCEEDED else ():
        for hook in hooks.post_execute:
            answer = yield from ask(hook, (_aftermath(attempt, end),), hooks.within)
            end = _received(attempt, hook, end, answer)
            if end.outcome is not Outcome.SUCCEEDED:
                return end
            # What was cut no hook has seen, so nobody reads it.
            end = end if end.artifact is None else replace(end, artifact=None)
    return end


def _received(attempt: Attempt, hook: Hook, end: AttemptEnd, answer: Any) -> AttemptEnd:
    match answer:
        case Accept():
            return end
        case Replace():
            return _replaced(attempt, hook, end, answer)
        case Block():
            why = f"it is withheld: {_sentence(attempt, answer.reason)}"
        case Silence():
            _tell(attempt, hook, answer)
            why = "a policy could not judge its result"
        case _:
            what = f"answered with {type(answer).__name__}, which is none of its answers"
            _tell(attempt, hook, Silence(what))
            why = "a policy could not judge its result"
    size = json_size(end.content)
    log.info("result.blocked", **_keys(attempt), hook=name_of(hook), bytes=size)
    # What has happened can still be taken back.
    return replace(_kept_back(attempt, why), withheld=size, undo=end.undo)


def _replaced(attempt: Attempt, hook: Hook, end: AttemptEnd, answer: Replace) -> AttemptEnd:
    try:
        answer_now = reshape(attempt.tool, answer.content, attempt.treatment)
    except ConversionFailed as error:
        return _received(attempt, hook, end, Silence(f"gave content that is none: {error}"))
    sizes = {"bytes": json_size(end.content), "bytes_now": json_size(answer_now.content)}
    log.info("result.replaced", **_keys(attempt), hook=name_of(hook), **sizes, why=answer.reason)
    return replace(
        end,
        content=answer_now.content,
        truncated=end.truncated or bool(answer_now.truncated),
        view=None,
    )


def _refused(attempt: Attempt, hook: Hook, silence: Silence) -> AttemptEnd:
    """End an attempt whose handler was not called."""
    _tell(attempt, hook, silence)
    error = CallError.of(ErrorCode.DENIED, "A policy could not judge this call, so it was not run.")
    return AttemptEnd(outcome=Outcome.FAILED, error=error, retryable=False, effect=Effect.NONE)


def _kept_back(attempt: Attempt, why: str) -> AttemptEnd:
    """End an attempt whose handler has returned."""
    error = CallError.of(ErrorCode.BLOCKED, f"{attempt.spec.name} has run, but {why}.")
    return AttemptEnd(outcome=Outcome.FAILED, error=error, retryable=False, effect=Effect.COMMITTED)


def _sentence(attempt: Attempt, text: str) -> str:
    """Make one short sentence of what a hook says, without its full stop, keys and secrets."""
    said = attempt.discreet.out_of_cut(text[:MAX_HEARD])[:MAX_REASON]
    return mask_keys(said).encode(errors="replace").decode().rstrip(".")


def _underway(attempt: Attempt) -> Underway:
    return Underway(
        call=_call(attempt),
        call_key=attempt.claim.call_key,
        tool=attempt.tool,
        context=attempt.spec.context,
        attempt=attempt.claim.attempt,
    )


def _aftermath(attempt: Attempt, end: AttemptEnd) -> Aftermath:
    return Aftermath(
        call=_call(attempt),
        call_key=attempt.claim.call_key,
        tool=attempt.tool,
        context=attempt.spec.context,
        attempt=attempt.claim.attempt,
        content=deepcopy(end.content),
    )


def _call(attempt: Attempt) -> ToolCall:
    spec = attempt.spec
    # A copy, so that a hook that changes it changes nothing.
    return ToolCall(spec.call_id, spec.name, deepcopy(spec.arguments))


def _tell(attempt: Attempt, hook: Hook, silence: Silence) -> None:
    log.error("hook.failed", **_keys(attempt), hook=name_of(hook), detail=silence.why)


def _keys(attempt: Attempt) -> dict[str, Any]:
    spec = attempt.spec
    return {"call_id": spec.call_id, "turn_id": spec.turn_id, "tool": spec.name}
