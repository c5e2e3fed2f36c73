"""The tools by which a model asks for a call that it was told still runs, or ends it.

A handle is good only where it was made: for the tenant, the principal and the conversation of the
call that asks. Both sides of that comparison are signed by a dispatcher; the model has no say in
them. Of any other handle it hears the same as of one that nobody ever made.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import Field

from toolferry import (
    EffectClass,
    LedgerUnavailable,
    RetryCall,
    Tool,
    ToolContext,
    ToolError,
    envelope,
    split_call_key,
    tool,
)
from toolferry_ledger.cancelling import Canceller
from toolferry_ledger.endings import read_result
from toolferry_ledger.ledger import Ledger
from toolferry_ledger.progress import read_progress
from toolferry_ledger.records import Suspect
from toolferry_ledger.signing import Signer, Untrusted
from toolferry_ledger.spec import Spec, open_spec

#: Seconds that `call.wait` waits at the most.
MAX_WAIT: Final = 60.0
#: Seconds between two looks of `call.wait`: a look costs the server some 20 µs.
LOOK_EVERY: Final = 0.25
#: Characters of a handle: a turn id, a colon and a position.
_MAX_HANDLE: Final = 220

Handle = Annotated[
    str,
    Field(
        min_length=3,
        max_length=_MAX_HANDLE,
        pattern=r"^.+:[0-9]{1,9}$",
        description="The handle from the answer that said that the call still runs.",
    ),
]


@dataclass(frozen=True, slots=True)
class CallDesk:
    """Where the handlers of the call tools learn of calls; a worker provides it to them.

    Every method takes the call that asks, and speaks of calls of its own conversation only.

    Args:
        ledger: The records.
        canceller: Ends calls.
        signer: Checks that records are genuine.
    """

    ledger: Ledger
    canceller: Canceller
    signer: Signer

    def read(self, handle: str, asker: str) -> dict[str, Any]:
        """Say how a call stands: its state, with its progress or its result.

        Raises:
            ToolError: There is no such call, as far as the asker may know.
            LedgerUnavailable: The server does not answer.
        """
        suspect, spec = self._find(handle, asker)
        told: dict[str, Any] = {"handle": handle, "tool": spec.name, "state": suspect.state.value}
        if suspect.state.is_open:
            return told | {"attempt": suspect.attempt} | self._progress(handle)
        return told | {"result": self._result(handle)}

    def cancel(self, handle: str, asker: str) -> dict[str, Any]:
        """End a call, or have its worker stop it; say how that went.

        Raises:
            ToolError: There is no such call, as far as the asker may know.
            LedgerUnavailable: The server does not answer.
        """
        self._find(handle, asker)
        done = self.canceller.cancel([handle], "the agent asked for it")[handle]
        return {"cancellation": done.value} | self.read(handle, asker)

    def _find(self, handle: str, asker: str) -> tuple[Suspect, Spec]:
        """Give a call that the asker may know, with its spec."""
        found = {one.call_key: one for one in self.ledger.inspect_calls([handle, asker])}
        try:
            wanted = open_spec(self.signer, found[handle])
            own = open_spec(self.signer, found[asker])
        except (KeyError, Untrusted) as error:
            raise _no_such_call(handle) from error
        if _home_of(wanted) != _home_of(own):
            raise _no_such_call(handle)
        return found[handle], wanted

    def _progress(self, handle: str) -> dict[str, Any]:
        progress = read_progress(self.ledger, handle)
        if progress is None:
            return {}
        return {"progress": {"fraction": progress.fraction, "message": progress.message}}

    def _result(self, handle: str) -> dict[str, Any] | None:
        turn_id, position = split_call_key(handle)
        text = self.ledger.results(turn_id, [position]).get(position)
        return None if text is None else envelope(read_result(text))


def _home_of(spec: Spec) -> tuple[str, str, str]:
    return spec.context.tenant, spec.context.principal, spec.conversation_id


def _no_such_call(handle: str) -> ToolError:
    return ToolError(
        "no_such_call",
        f"There is no call with the handle {handle}.",
        suggestion="Use a handle that an answer in this conversation gave.",
    )


@tool(name="call.status", category="calls", polling=True, timeout=15, max_result_bytes=1024 * 1024)
async def call_status(handle: Handle, ctx: ToolContext) -> dict[str, Any]:
    """Tell how a call stands that still ran when it was answered.

    Gives its state, how far it is, and its result once it has ended. Does not wait; use it to look
    in between, and call.wait to wait for the end.
    """
    return await _ask(ctx.resource(CallDesk).read, handle, ctx)


@tool(
    name="call.wait",
    category="calls",
    polling=True,
    timeout=MAX_WAIT + 15,
    max_result_bytes=1024 * 1024,
)
async def call_wait(
    handle: Handle,
    ctx: ToolContext,
    seconds: Annotated[
        float, Field(ge=0, le=MAX_WAIT, description="How long to wait at the most, in seconds.")
    ] = 30,
) -> dict[str, Any]:
    """Wait for the end of a call that still ran when it was answered.

    Gives what call.status gives, as soon as the call has ended, or when the seconds have passed.
    Use it when nothing else can be done before the result is there.
    """
    desk, until = ctx.resource(CallDesk), time.monotonic() + seconds
    while True:
        told = await _ask(desk.read, handle, ctx)
        left = until - time.monotonic()
        if "result" in told or left <= 0:
            return told
        await asyncio.sleep(min(LOOK_EVERY, left))


@tool(
    name="call.cancel",
    category="calls",
    effect=EffectClass.WRITE,
    idempotent=True,
    lint_accepted={"TF401": "It ends calls of the conversation that asks, and no others."},
    timeout=15,
    max_result_bytes=1024 * 1024,
)
async def call_cancel(handle: Handle, ctx: ToolContext) -> dict[str, Any]:
    """Cancel a call that still ran when it was answered.

    What has not started never will; what runs is stopped, and may have had its effect. Does not
    undo anything. Use it when its result is not wanted any more.
    """
    return await _ask(ctx.resource(CallDesk).cancel, handle, ctx)


async def _ask(
    act: Callable[[str, str], dict[str, Any]], handle: str, ctx: ToolContext
) -> dict[str, Any]:
    try:
        return await asyncio.to_thread(act, handle, ctx.call_key)
    except LedgerUnavailable as error:
        # What became of it could not be written either: it is asked again when the server is back.
        raise RetryCall(after=1.0, reason="The records of calls could not be read.") from error


_TOOLS: Final = (call_status, call_wait, call_cancel)
#: The names of the call tools.
CALL_TOOL_NAMES: Final = frozenset(one.name for one in _TOOLS)


def call_tools() -> tuple[Tool, ...]:
    """Give the call tools; every worker of the async lane runs them.

    An application that lets models use them registers them where it dispatches:
    `registry.register_all(call_tools())`.
    """
    return _TOOLS
