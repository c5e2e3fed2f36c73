"""The tools of the conversation."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from toolferry import EffectClass, ToolError, tool

_NOTES: Final = Path(__file__).with_name("notes")


@tool(category="notes")
async def read_file(path: Annotated[str, Field(max_length=200)]) -> str:
    """Read a text file of the notes. It cannot read other folders.

    Args:
        path: The file's name.
    """
    file = (_NOTES / path).resolve()
    if not file.is_relative_to(_NOTES) or not file.is_file():
        raise ToolError("no_such_file", f"There is no file {path} in the notes.")
    text = await asyncio.to_thread(file.read_text, encoding="utf-8")
    return text.strip()


@tool(category="notes", effect=EffectClass.WRITE, confirm=True, display="Publish “{text}”")
async def publish(text: Annotated[str, Field(max_length=200)]) -> str:
    """Publish a text when asked. A person has to say yes, and it cannot be taken back.

    Args:
        text: What to publish.
    """
    return f"{text} is on the notice board"
