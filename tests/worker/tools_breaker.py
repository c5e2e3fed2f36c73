"""Tools that fail for as long as a test wants, and one that never does."""

from __future__ import annotations

from pathlib import Path

from toolferry import NO_RETRY, EffectClass, ToolContext, tool


@tool(retry=NO_RETRY)
async def fragile(folder: str) -> str:
    """Write into a journal that it runs; fail until it is mended."""
    return _try(Path(folder))


@tool(retry=NO_RETRY)
def fragile_in_child(folder: str) -> str:
    """Fail in a child process."""
    raise RuntimeError(folder)


def _try(folder: Path) -> str:
    with (folder / "journal").open("a", encoding="utf-8") as journal:
        journal.write("run\n")
    if not (folder / "mended").exists():
        raise RuntimeError("broken")
    return "works"


@tool(retry=NO_RETRY, effect=EffectClass.WRITE)
def pay(folder: str, ctx: ToolContext) -> str:
    """Take money, once it works; tell under which key."""
    _try(Path(folder))
    return ctx.idempotency_key


@tool
async def sound() -> str:
    """Work."""
    return "works"
