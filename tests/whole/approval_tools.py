"""Tools that write down which call they ran: one for everybody, one that asks, one for few."""

from __future__ import annotations

import os

from tests.whole.cases.scenario import note
from toolferry import EffectClass, ToolContext, tool

#: Where the journal is, told to the workers.
JOURNAL = "APPROVAL_JOURNAL"


@tool(effect=EffectClass.WRITE, deadline=600)
async def go(ctx: ToolContext) -> str:
    """Do something."""
    note(os.environ[JOURNAL], ctx.call_key)
    return ctx.call_key


@tool(effect=EffectClass.WRITE, confirm=True, deadline=600, display="Do something")
async def ask(ctx: ToolContext) -> str:
    """Do something when a person says so."""
    note(os.environ[JOURNAL], ctx.call_key)
    return ctx.call_key


@tool(effect=EffectClass.WRITE, allowed_roles={"nobody"}, deadline=600)
async def refuse(ctx: ToolContext) -> str:
    """Do something that nobody may."""
    note(os.environ[JOURNAL], ctx.call_key)
    return ctx.call_key
