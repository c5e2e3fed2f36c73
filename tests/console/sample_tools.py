"""Tools for the tests of the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from pydantic import Field

from toolferry import NO_RETRY, Answer, EffectClass, ToolContext, ToolError, Trim, tool

#: What nobody may read.
Secret = Annotated[str, Field(json_schema_extra={"writeOnly": True})]


@tool
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
async def wait(seconds: float) -> str:
    """Wait without a processor."""
    await asyncio.sleep(seconds)
    return "waited"


@tool(trim=Trim(max_tokens=20))
async def recite(lines: int) -> str:
    """Recite more than anybody wants to read."""
    return "".join(f"{number} 港口\n" for number in range(lines))


@tool
def hold() -> str:
    """Run in a child process."""
    return "held"


@tool(
    display={"en": "Count the rows of {table}", "zh": "统计 {table} 的行数"},
    render_result=lambda rows: "\n".join(f"{name}: {count}" for name, count in rows.items()),
)
async def count(table: str, password: Secret = "") -> dict[str, int]:
    """Count the rows of a table."""
    return {table: 2, "all": len(password)}


@tool
async def climb(ctx: ToolContext) -> None:
    """Get half way and stay there."""
    ctx.progress(0.5, "half way")
    await asyncio.Event().wait()


@tool(effect=EffectClass.WRITE, confirm=True)
async def pay(to: str, pin: Secret = "") -> str:
    """Pay, when a person says so."""
    return f"paid {to}{pin[:0]}"


@tool(effect=EffectClass.WRITE, undo="put_back")
async def take_out(path: str) -> Answer:
    """Empty a file."""
    text = Path(path).read_text()  # noqa: ASYNC240 -- a few bytes
    Path(path).write_text("")  # noqa: ASYNC240 -- as above
    return Answer(content="taken out", undo={"path": path, "text": text})


@tool(effect=EffectClass.WRITE)
async def put_back(path: str, text: str) -> str:
    """Fill a file that is empty."""
    with Path(path).open("a") as file:  # noqa: ASYNC230 -- as above
        file.write(text)
    return "put back"


@tool(effect=EffectClass.WRITE, undo="pay")
async def collect(who: str) -> Answer:
    """Take money, which a person has to agree to give back."""
    return Answer(content="collected", undo={"to": who})


@tool(effect=EffectClass.WRITE, undo="vanish")
async def send_off(what: str = "") -> Answer:
    """Do what nobody here can take back."""
    return Answer(content="sent", undo={"what": what} if what else None)


@tool
async def refuse() -> None:
    """Never work."""
    raise ToolError("closed", "The counter is closed.", retryable=False)


@tool(effect=EffectClass.WRITE, retry=NO_RETRY)
async def send(text: str) -> str:
    """Send a text; nobody can take it back."""
    return text
