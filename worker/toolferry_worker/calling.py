"""Calling a handler: the one place that meets whatever a handler does.

A handler may raise anything, `SystemExit` and `asyncio.CancelledError` included: each of it is a
result. The model reads only what was said with `ToolError`, `RetryCall` or `CancelCall`; of any
other exception it gets the kind and a reference, and the log gets the traceback under the same
reference.
"""

from __future__ import annotations

import asyncio
import inspect
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Final, Self

from billiard import common
from celery.exceptions import SoftTimeLimitExceeded

from toolferry import (
    CallError,
    CancelCall,
    ConversionFailed,
    Effect,
    ErrorCode,
    Outcome,
    RetryCall,
    ToolError,
    read_finding,
    shape,
    shape_whole,
)
from toolferry_ledger import get_log, hiding, limit_end
from toolferry_policies import AttemptEnd, Hidden, mask_keys
from toolferry_worker.attempt import Attempt
from toolferry_worker.capture import Captured, Print
from toolferry_worker.hooking import (
    HookBroke,
    hooked_async,
    hooked_sync,
    received_async,
    received_sync,
)
from toolferry_worker.quiet import quiet_end
from toolferry_worker.viewing import render_view

log = get_log(__name__)

#: Characters of a handler's word to the model that are kept.
MAX_SENTENCE: Final = 2000
#: Characters of it in which secrets are looked for.
MAX_HEARD: Final = 10 * MAX_SENTENCE


async def call_async(attempt: Attempt) -> AttemptEnd:
    """Await an async handler and say how that ended."""
    args, kwargs = attempt.bound
    with hiding(attempt.hidden.secrets, attempt.patterns):
        with Handling(attempt) as handling:
            if not attempt.hooks:
                handling.give(await attempt.function(*args, **kwargs))
            else:
                act = partial(attempt.function, *args, **kwargs)
                handling.give(await hooked_async(attempt, act))
        if not attempt.hooks:
            return handling.end
        return _quiet(attempt, await received_async(attempt, handling.end))


def call_sync(attempt: Attempt) -> AttemptEnd:
    """Call a handler, a sync or an async one, and say how that ended."""
    args, kwargs = attempt.bound
    return call_with(attempt, lambda: attempt.function(*args, **kwargs))


def call_with(attempt: Attempt, act: Callable[[], Any]) -> AttemptEnd:
    """Call something in the handler's place, and say how that ended."""
    with hiding(attempt.hidden.secrets, attempt.patterns):
        with Handling(attempt) as handling:
            handling.give(
                hooked_sync(attempt, partial(_done, act)) if attempt.hooks else _done(act)
            )
        if not attempt.hooks:
            return handling.end
        return _quiet(attempt, received_sync(attempt, handling.end))


def _quiet(attempt: Attempt, end: AttemptEnd) -> AttemptEnd:
    return quiet_end(end, attempt.hidden, reveals=attempt.tool.reveals)


def _done(act: Callable[[], Any]) -> Any:
    value = act()
    return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else value


async def _awaited(value: Any) -> Any:
    return await value


class Handling:
    """What happens while a handler runs: catches whatever it raises, and what it prints.

    Args:
        attempt: Whose handler it is.
    """

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt
        self._captured = Captured()
        self._printed: Print | None = None
        #: How it ended; means nothing before the block is left.
        self.end = AttemptEnd(outcome=Outcome.SUCCEEDED)

    def give(self, value: Any) -> None:
        """Take what the handler returned and make it fit for a result."""
        if self._attempt.claim.doubt:
            self.end = self._found(value)
        else:
            self.end = self._succeeded(value)

    def _found(self, value: Any) -> AttemptEnd:
        """Take what a `verify` found out; when that is nothing, the doubt stays."""
        found = read_finding(value)
        if found.effect is Effect.COMMITTED:
            try:
                end = self._succeeded(found.content)
            except ConversionFailed as error:  # it has happened, whatever can be told of it
                end = self._failed(error)
            return replace(end, effect=found.effect, verified=True)
        return AttemptEnd(
            outcome=Outcome.FAILED, effect=found.effect, verified=found.effect is Effect.NONE
        )

    def _succeeded(self, value: Any) -> AttemptEnd:
        attempt = self._attempt
        shaped = shape_whole(attempt.tool, value, attempt.treatment)
        answer = shaped.answer
        return AttemptEnd(
            outcome=Outcome.SUCCEEDED,
            content=answer.content,
            truncated=answer.truncated,
            next_cursor=answer.next_cursor,
            source=answer.source,
            view=render_view(self._attempt, value),
            undo=answer.undo,
            # What is meant to carry secrets is kept nowhere but in its result.
            artifact=None if attempt.tool.reveals and attempt.hidden else shaped.artifact,
        )

    def __enter__(self) -> Self:
        log.debug("attempt.started", **self._keys())
        self._printed = self._captured.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._captured.__exit__()
        self._tell_printed()
        if error is not None:
            # A child that was told to end has to end; its parent writes what became of the call.
            if common.terminate_handler_fired():  # type: ignore[attr-defined]  # new in billiard 4.3
                return False
            try:
                self.end = (
                    self._kept_back(error) if isinstance(error, HookBroke) else self._failed(error)
                )
            except Exception:  # noqa: BLE001 -- the handler's words to us are none: the error is
                self.end = self._raised(error)
        self.end = _quiet(self._attempt, self.end)
        return True

    def _kept_back(self, broke: HookBroke) -> AttemptEnd:
        """End what a hook has ended; what has happened can still be taken back."""
        attempt, end = self._attempt, broke.end
        try:
            answers = [shape(attempt.tool, one, attempt.treatment) for one in broke.returned]
        except Exception:  # noqa: BLE001 -- an adapter raises what it likes: the hook's end counts
            return end
        return replace(end, undo=answers[0].undo) if answers else end

    def _failed(self, error: BaseException) -> AttemptEnd:
        hidden = self._attempt.discreet
        match error:
            case ToolError():
                return _told(error, hidden)
            case RetryCall():
                return _asked(error, hidden)
            case CancelCall():
                cancelled = CallError.of(ErrorCode.CANCELLED, _sentence(error.reason, hidden))
                return AttemptEnd(outcome=Outcome.CANCELLED, error=cancelled)
            case ConversionFailed():
                return AttemptEnd(
                    outcome=Outcome.FAILED, error=error.error(), undo=error.undo, retryable=False
                )
            case SoftTimeLimitExceeded():
                return limit_end(self._attempt.spec, self._attempt.claim.limit)
            case _:
                return self._raised(error)

    def _raised(self, error: BaseException) -> AttemptEnd:
        reference = secrets.token_hex(4)
        name, kind = self._attempt.spec.name, type(error).__name__
        # We cancel handlers ourselves when their time is up, which is told elsewhere.
        tell = log.debug if isinstance(error, asyncio.CancelledError) else log.error
        tell("attempt.failed", **self._keys(), reference=reference, exc_info=error)
        told = CallError.of(
            ErrorCode.EXECUTION_FAILED, f"{name} failed with {kind} (reference {reference})."
        )
        final = isinstance(error, self._attempt.tool.non_retryable)
        return AttemptEnd(outcome=Outcome.FAILED, error=told, retryable=not final)

    def _tell_printed(self) -> None:
        if self._printed and self._printed.size:
            log.info(
                "handler.printed",
                **self._keys(),
                characters=self._printed.size,
                text=self._attempt.discreet.out_of_cut(self._printed.text),
            )

    def _keys(self) -> dict[str, Any]:
        spec, claim = self._attempt.spec, self._attempt.claim
        return {
            "call_id": spec.call_id,
            "turn_id": spec.turn_id,
            "tool": spec.name,
            "attempt": claim.attempt,
        }


def _told(error: ToolError, hidden: Hidden) -> AttemptEnd:
    told = CallError(
        code=_sentence(error.code, hidden),
        message=_sentence(error.message, hidden),
        retryable=bool(error.retryable),
        suggestion=_sentence(error.suggestion, hidden),
    )
    return AttemptEnd(outcome=Outcome.FAILED, error=told, retryable=told.retryable)


def _asked(error: RetryCall, hidden: Hidden) -> AttemptEnd:
    told = CallError.of(ErrorCode.EXECUTION_FAILED, _sentence(error.reason, hidden))
    return AttemptEnd(
        outcome=Outcome.FAILED,
        error=told,
        after=None if error.after is None else float(error.after),
        effect=Effect(error.effect),
        asked=True,
    )


def _sentence(text: object, hidden: Hidden) -> str:
    """Make text of what a handler said: short, without half characters, keys and secrets."""
    # Before it is cut to size, which could leave half of a secret.
    said = hidden.out_of_cut(str(text)[:MAX_HEARD])[:MAX_SENTENCE]
    return mask_keys(said).encode(errors="replace").decode()
