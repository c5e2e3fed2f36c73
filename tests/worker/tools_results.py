"""Tools whose results are long, for the tests of what is kept of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from toolferry import Keep, ToolContext, Trim, tool

Password = Annotated[str, Field(json_schema_extra={"writeOnly": True})]

#: What the handlers give; a line of it is in three scripts.
LINES = [f"{number}: 码头 dock 👩‍👩‍👧\n" for number in range(500)]


@tool(trim=Trim(max_tokens=100))
async def read_log() -> str:
    """Read the log."""
    return "".join(LINES)


@tool(trim=Trim(max_tokens=100, keep=Keep.ENDS))
def read_report() -> str:
    """Read the report, in a process of its own."""
    return "".join(LINES)


@tool(trim=Trim(max_tokens=100))
async def read_mail(password: Password, ctx: ToolContext) -> str:
    """Read mail; what it gives holds its secrets."""
    return "".join([*LINES, password, ctx.secret("token")])


@tool(trim=Trim(max_tokens=100), reveals=True)
async def read_keys(ctx: ToolContext) -> str:
    """Read keys, which the model shall see."""
    return "".join([*LINES, ctx.secret("token")])
