"""Tools that pay, of whose calls nobody hears more, and that can look up whether it was paid."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tests.whole.cases.scenario import note
from toolferry import Effect, EffectClass, ToolContext, Verified, tool

#: What each `verify` comes to, by the name that the call gives it.
FINDINGS: Final[Mapping[str, Any]] = {
    "paid": Verified(Effect.COMMITTED, {"receipt": 17}),
    "committed": Effect.COMMITTED,
    "none": Effect.NONE,
    "possible": Effect.POSSIBLE,
    "nonsense": 42,
}


def find(finding: str, journal: str, ctx: ToolContext) -> Any:
    """Look, and say what is known."""
    note(journal, "verify", ctx.idempotency_key)
    if finding == "raises":
        raise ConnectionError
    if finding == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if finding == "hangs":
        signal.pause()  # no signal but the one of the limit comes
    return FINDINGS[finding]


async def find_later(finding: str, journal: str, ctx: ToolContext) -> Any:
    """Look, on the event loop."""
    if finding == "hangs":
        note(journal, "verify", ctx.idempotency_key)
        await asyncio.sleep(60)
    return find(finding, journal, ctx)


@tool(effect=EffectClass.WRITE, timeout=1, verify=find)
def pay(how: str, finding: str, journal: str, ctx: ToolContext) -> str:
    """Pay, and come to an end of which nobody hears."""
    note(journal, "pay", ctx.idempotency_key)
    if how == "raises":
        raise TimeoutError
    if how == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()
    return finding


def _die_once(folder: str) -> None:
    if Path(folder).is_dir() and not Path(folder, "died").exists():
        Path(folder, "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)


@tool(effect=EffectClass.WRITE, timeout=1, verify=find_later)
async def pay_on_loop(how: str, finding: str, journal: str, ctx: ToolContext) -> str:
    """Pay, on the event loop; killed with its worker where `how` is a folder's name."""
    note(journal, "pay", ctx.idempotency_key)
    if how == "raises":
        raise TimeoutError
    _die_once(how)
    await asyncio.sleep(60)
    return finding
